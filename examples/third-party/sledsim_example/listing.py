"""The kind of named things ``turns``, whose entries ``sledsim list turns`` prints."""

from sledsim.commands import Kind, print_json, print_table, table

TURNS = {"slow": "A turn in 40 ms", "quick": "A turn in 10 ms"}


def show(name: str | None, as_json: bool, typed: str) -> None:
    """Print all entries, or the entry with a name, as JSON or as a table."""
    rows = {key: text for key, text in TURNS.items() if name in (None, key)}
    if as_json:
        print_json(rows)
    else:
        print_table(None, table("Turn", "Meaning", rows=rows.items()))


KIND = Kind("turns", "Times of a turn of the belt", lambda: TURNS, show)
