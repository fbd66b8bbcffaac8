"""Additions to sledsim, which are named in pyproject.toml."""
