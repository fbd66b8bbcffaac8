"""Run the command ``sledsim`` by ``python -m sledsim``."""

from .cli import main

main()
