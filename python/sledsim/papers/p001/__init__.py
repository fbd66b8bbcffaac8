"""Experiments of paper 001."""
