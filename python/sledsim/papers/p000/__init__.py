"""Experiments of paper 000."""
