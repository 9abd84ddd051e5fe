"""Packs read from tables of cards: their content, and the messages for bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kortlek.game import Face, Pack

TABLE = """name,copies,colour,title,text
sun,4,gold,The Sun,Shines on everything.
rain,,blue,,"Take a card, and keep it."
wind,2,,Wind,
"""


def test_a_pack_from_a_table(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(TABLE)
    pack = Pack.from_csv(tmp_path / "cards.csv")
    assert (pack.names, pack.counts) == (("sun", "rain", "wind"), (4, 1, 2))
    assert pack.faces == (Face("The Sun", "Shines on everything.", "gold"), Face("rain", "Take a card, and keep it.", "blue"), Face("Wind", "", ""))
    assert sorted(pack.cards) == [0, 0, 0, 0, 1, 2, 2]


def test_names_are_enough_and_a_table_may_come_from_a_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_bytes("\ufeffname\r\nsun\r\nrain\r\n".encode())
    assert Pack.from_csv(str(tmp_path / "cards.csv")).counts == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("sun,4", "sun,none", "cards.csv, line 2: copies is a whole number from 1 to 100, not 'none'."),
        ("sun,4", "sun,0", "cards.csv, line 2: copies is a whole number from 1 to 100, not '0'."),
        ("wind,2", "wind,101", "cards.csv, line 4: copies is a whole number from 1 to 100, not '101'."),
        ("wind,2", "sun,2", "cards.csv, line 4: a card needs a name of its own, one word; 'sun' will not do."),
        ("wind,2", "strong wind,2", "cards.csv, line 4: a card needs a name of its own, one word; 'strong wind' will not do."),
        ("wind,2", ",2", "cards.csv, line 4: a card needs a name of its own, one word; '' will not do."),
        ("Shines on everything.", "Shines, on everything.", "cards.csv, line 2: there are more values than columns; a text with a comma"),
        ("name,copies", "name,number", "cards.csv, line 1: there is no column 'number'; a table of cards has the columns name, "),
        ("name,copies", "title,copies", "cards.csv is not a table of cards: its first line has the columns name, copies, colour, title, text"),
        (TABLE, "", "cards.csv is not a table of cards"),
        (TABLE, "name\n", "cards.csv is not a table of cards"),
        ("keep it.\"", "keep it.", "cards.csv, line 3: unexpected end of data."),
    ],
)  # fmt: skip
def test_a_bad_table_gets_one_sentence_with_the_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    (tmp_path / "cards.csv").write_text(TABLE.replace(old, new))
    with pytest.raises(ValueError, match="cards.csv") as told:
        Pack.from_csv(tmp_path / "cards.csv")
    assert str(told.value).startswith(sentence) and "\n" not in str(told.value)


def test_a_table_that_is_not_there_says_where_it_is_looked_for() -> None:
    with pytest.raises(ValueError, match=r"There is no file cards.csv. One that lies beside the rules is Path\(__file__\).with_name\('cards.csv'\)."):
        Pack.from_csv("cards.csv")


def test_a_table_that_is_not_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_bytes(b"name\nsun\xff\n")
    with pytest.raises(ValueError, match="cards.csv is not written in UTF-8."):
        Pack.from_csv(tmp_path / "cards.csv")
