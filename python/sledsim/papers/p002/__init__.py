"""Experiments of paper 002."""
