"""Names of players at a table: they can be shown, fit, address nobody, and no two at a table look alike."""

from __future__ import annotations

import pytest
from tables import Room, room

from kortlek.bots import BOT_NAMES
from kortlek.table.protocol.client_in import Join
from kortlek.table.names import LIKE_LATIN, is_showable, skeleton, width
from kortlek.table.table import STRANGER

WIDE, TOO_WIDE = "not_possible", "A name is 1 to 20 columns wide, with characters that can be printed and no space at either end."


@pytest.mark.parametrize(
    ("name", "columns"),
    [("Ann", 3), ("Åsa", 3), ("A\u030asa", 3), ("李雷", 4), ("ｱﾝ", 2), ("Ann🂡", 4), ("🎉🎉", 4), ("e\u0301\u0323", 1), ("Ａｎｎ", 6), ("☂\ufe0f", 1)],
)
def test_the_width_of_a_name_is_counted_in_columns(name: str, columns: int) -> None:
    assert width(name) == columns


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("x" * 20, True),
        ("x" * 21, False),
        ("李" * 10, True),
        ("李" * 10 + "x", False),
        ("e\u0301" * 20, True),
        ("e\u0301" * 20 + "e", False),
        ("🎉" * 10, True),
        ("🎉" * 11, False),
        ("", False),
        (" Ann", False),
        ("Ann ", False),
        ("An\nn", False),
        ("An\u200bn", False),
        ("An\u202en", False),
        ("\u3164", False),
        ("An\u2800n", False),
        ("\u0301", False),
        ("\u0301Ann", False),
        ("A\u0301\u0302\u0303nn", True),
        ("A\u0301\u0302\u0303\u0304nn", False),
    ],
)
def test_which_names_can_be_shown(name: str, may: bool) -> None:
    assert is_showable(name) == may
    at = room("Bo")
    if may:
        at.sits(name)
        assert name in at.table.names
    else:
        assert at.refusal(STRANGER, Join(name=name)) == (WIDE, TOO_WIDE)


LOOK_ALIKES = ["Anna", "ANNA", "anna", "Аnnа", "AN NA", "An.na", "_Anna_", "Ａｎｎａ", "ᴀnnᴀ", "Αnnα", "Anna\ufe0f", "An'na", "A\u034fnna"]


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_no_two_at_a_table_look_alike(name: str) -> None:
    at = room("Anna")
    code, sentence = at.refusal(STRANGER, Join(name=name))
    assert code == "taken"
    alike = f"{name} looks like Anna, who is at this table already. Choose another name."
    assert sentence == ("Somebody at this table is already called Anna." if name == "Anna" else alike)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bill", "BiII"),
        ("Bo", "B0"),
        ("Вова", "BOBA"),
        ("Arne", "Ame"),
        ("Νικ", "Nik"),
        ("will", "vviIl"),
        ("ΧΡΗ", "XPH"),
        ("Ѕеѕѕі", "Sessi"),
        ("1da", "Ida"),
    ],
)
def test_letters_that_are_hard_to_tell_apart(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Åsa", "Asa"), ("Anna", "Annah"), ("Bo", "Bob"), ("Eva", "Ewa"), ("!!!", "???"), ("🎉", "🂡"), ("李雷", "李蕾")]
)
def test_names_that_differ(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
    room(one, other)


def test_every_letter_of_another_alphabet_stands_for_one_latin_letter_or_digit() -> None:
    assert all(chr(other) > "\x7f" and latin.isascii() and len(latin) == 1 for other, latin in LIKE_LATIN.items())


@pytest.mark.parametrize("name", ["You", "you", "YOU", "Du", "dU", "Yоu", "Y.o.u", "Y0u", "Ｄｕ", "ყou".replace("ყ", "у")])
def test_nobody_is_called_as_the_table_calls_its_reader(name: str) -> None:
    code, sentence = room().refusal(STRANGER, Join(name=name))
    assert code == "not_possible"
    assert sentence.startswith(f"Nobody can be called {name}")


@pytest.mark.parametrize("name", ["Lisa", "Lіsа", "LISA"])
def test_a_bot_gives_its_name_to_a_person_who_is_called_like_it(name: str) -> None:
    at = Room(game="plump", players=4, levels=["house", "house"])
    assert at.table.names == ("Ann", "", *BOT_NAMES[:2]) and BOT_NAMES[0] == "Lisa"
    at.sits(name)
    assert at.table.names == ("Ann", name, *BOT_NAMES[1:3])
