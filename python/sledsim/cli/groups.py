"""Groups of options: a dataclass of declarations stands for all of them in the signature of a command."""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any

from .made_by import note_options


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose groups are options of their own, in their place: as Typer wants a command.

    What it is called with is kept for the pages that it makes.
    """
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for given in signature(command, eval_str=True).parameters.values():
        if is_dataclass(given.annotation):
            groups[given.name] = given.annotation
            parameters += map(_parameter, fields(given.annotation))
        else:
            parameters.append(given.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**values: Any) -> None:
        note_options(parameters, values)
        if values.get("scheduler"):
            from ..model.typed import imported_schedulers

            values["scheduler"] = imported_schedulers(values["scheduler"])
        made = {
            name: group(**{row.name: values.pop(row.name) for row in fields(group)})
            for name, group in groups.items()
        }
        command(**values, **made)

    vars(run)["__signature__"] = Signature(parameters)
    return run


def _parameter(row: Any) -> Parameter:
    """A field of a group as a parameter of a command."""
    default = Parameter.empty if row.default is MISSING else row.default
    return Parameter(row.name, Parameter.KEYWORD_ONLY, default=default, annotation=row.type)
