"""The experiments of 002."""
