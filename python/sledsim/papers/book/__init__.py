"""The experiments in a table, what they found, and the book of it."""
