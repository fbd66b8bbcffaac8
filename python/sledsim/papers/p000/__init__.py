"""The experiments of 000."""
