"""``python -m sledsim`` is the command ``sledsim``."""

from .cli import main

main()
