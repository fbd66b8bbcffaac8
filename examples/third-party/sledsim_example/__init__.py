"""Example of a package that adds to sledsim; pyproject.toml registers each addition."""
