"""What goes away: it warns in one version, says what has taken its place, and is gone in the next.

Old names of modules, which are found before this is loaded, are in `sledsim.moved`.
"""

import warnings
from typing import NamedTuple


class Old(NamedTuple):
    """Something that goes away.

    Attributes:
        instead: What to do instead, as the end of a sentence that begins with its name.
        gone_in: The version that does not have it any more; that before warned.
    """

    instead: str
    gone_in: str


#: Commands that have a new name, by the old one.
COMMANDS = {
    kind: f"list {kind}"
    for kind in (
        *("devices", "volumes", "schedulers", "power-policies", "layouts", "seek-models"),
        *("episodes", "workloads", "replays", "formats", "studies"),
    )
}


def command(name: str) -> str:
    """Put a command, with the program before it, between quotes."""
    return f"'{' '.join(('sledsim', name))}'"


#: What goes away, by what a user types.
GOING = {
    **{command(old): Old(f"is now {command(new)}", "0.3.0") for old, new in COMMANDS.items()},
    "--explain of 'sledsim show'": Old("is no longer needed: meanings are always shown", "0.3.0"),
    "--resume of 'sledsim design'": Old(
        "is no longer needed: what is done is kept in --out, and not simulated again", "0.3.0"
    ),
    "--device of 'sledsim trace slice'": Old("is now --traced-device", "0.3.0"),
    "write_plots(out=...)": Old("is now write_plots(folder=...)", "0.3.0"),
}


def notice(name: str) -> str:
    """What is to be said of something that goes away."""
    old = GOING[name]
    return f"{name} {old.instead} (gone in sledsim {old.gone_in})"


def warn(name: str) -> None:
    """Say it to the caller of whoever calls this, from Python."""
    warnings.warn(notice(name), DeprecationWarning, stacklevel=3)
