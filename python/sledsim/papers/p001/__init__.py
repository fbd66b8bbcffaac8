"""The experiments of 001."""
