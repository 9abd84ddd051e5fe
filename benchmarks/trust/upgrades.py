"""R10: a store that was written by the first edition."""

from __future__ import annotations

import first_edition
from trust.row import Found, Row, Run


def r10(run: Run) -> Found:
    """Open the store with the rules of today, and with later ones."""
    tables = {"tables": len(first_edition.TABLES)}
    if run.is_planted:
        return Found(first_edition.played_on(run.data / "today", "former names of options unknown", only="up_and_down"), tables)
    return Found([*first_edition.played_on(run.data / "today"), *first_edition.upgraded(run.data / "later")], tables)


ROWS = (
    Row(
        "R10",
        "matches of a store of the first edition that do not replay, do not go on, or do not say why not",
        "0",
        r10,
        {"tables": len(first_edition.TABLES)},
        "former names of options are unknown",
    ),
)
