"""The experiments of 003."""
