"""The pack of a game: the kinds of card, the number of copies of each, and their faces."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kortlek.cards import FRENCH
from kortlek.game.files import text_of

COLUMNS = ("name", "copies", "colour", "title", "text")
"""The columns of a table of cards."""


@dataclass(frozen=True)
class Face:
    """The face of a card that is drawn as text."""

    title: str
    text: str = ""
    colour: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Pack:
    """The kinds of card by name, the number of ``copies`` (one number for every kind, or one for each), and whether each player has a pack of her
    own. ``faces`` are for custom cards, which a page draws as text."""

    names: tuple[str, ...] = FRENCH
    copies: int | tuple[int, ...] = 1
    one_each: bool = False
    faces: tuple[Face, ...] = field(default=())

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of copies of each kind."""
        return (self.copies,) * len(self.names) if isinstance(self.copies, int) else self.copies

    @cached_property
    def cards(self) -> list[int]:
        """All cards, one by one: every kind once, then again for the second copies, and so on."""
        return [kind for nth in range(max(self.counts, default=0)) for kind, many in enumerate(self.counts) if nth < many]

    @classmethod
    def from_csv(cls, path: str | Path) -> Pack:
        """A pack from a table with the columns name, copies, colour, title and text; all but name may be missing or empty. A table that lies beside
        the rules is ``Pack.from_csv(Path(__file__).with_name("cards.csv"))``. ValueError with the line if it cannot be read."""
        import csv  # imported here because the import is slow

        text, file = text_of(path), Path(path).name
        if text is None:
            raise ValueError(f"There is no file {path}. One that lies beside the rules is Path(__file__).with_name({file!r}).")
        reader = csv.DictReader(text.splitlines(keepends=True), strict=True)
        rows: list[tuple[int, dict[str, str]]] = []
        try:
            rows += ((reader.line_num, row) for row in reader)
        except csv.Error as error:
            raise ValueError(f"{file}, line {(rows[-1][0] if rows else 0) + 1}: {error}.") from error
        columns = [(each or "").strip() for each in reader.fieldnames or ()]
        if unknown := [each for each in columns if each not in COLUMNS]:
            raise ValueError(f"{file}, line 1: there is no column {unknown[0]!r}; a table of cards has the columns {', '.join(COLUMNS)}.")
        if "name" not in columns or not rows:
            raise ValueError(
                f"{file} is not a table of cards: its first line has the columns {', '.join(COLUMNS)}, and a line for each card follows."
            )
        names, copies, faces = [], [], []
        for number, row in rows:
            if None in row:
                raise ValueError(f"{file}, line {number}: there are more values than columns; a text with a comma stands in quotes.")
            name, many, colour, title, said = ((row.get(each) or "").strip() for each in COLUMNS)
            if len(name.split()) != 1 or name in names:
                raise ValueError(f"{file}, line {number}: a card needs a name of its own, one word; {name!r} will not do.")
            if not (many or "1").isascii() or not (many or "1").isdigit() or not 1 <= int(many or 1) <= 100:
                raise ValueError(f"{file}, line {number}: copies is a whole number from 1 to 100, not {many!r}.")
            names.append(name)
            copies.append(int(many or 1))
            faces.append(Face(title or name, said, colour))
        return cls(tuple(names), tuple(copies), faces=tuple(faces))
