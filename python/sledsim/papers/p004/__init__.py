"""Experiments of paper 004."""
