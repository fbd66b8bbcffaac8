"""The experiments of 004."""
