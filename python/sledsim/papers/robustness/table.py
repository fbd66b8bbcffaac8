"""All comparing claims, and those that cannot be put as conditions over runs."""

from . import first_model, formats, hierarchies, scheduling, zones
from .settings import LeftOut, Setting

SETTINGS: tuple[Setting, ...] = (
    *zones.SETTINGS,
    *scheduling.SETTINGS,
    *first_model.SETTINGS,
    *hierarchies.SETTINGS,
    *formats.SETTINGS,
)
LEFT_OUT: tuple[LeftOut, ...] = (
    *zones.LEFT_OUT,
    *scheduling.LEFT_OUT,
    *first_model.LEFT_OUT,
    *hierarchies.LEFT_OUT,
    *formats.LEFT_OUT,
)
