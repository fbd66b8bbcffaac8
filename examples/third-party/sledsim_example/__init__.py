"""Additions to sledsim, registered in pyproject.toml."""
