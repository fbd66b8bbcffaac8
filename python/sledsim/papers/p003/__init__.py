"""Experiments of paper 003."""
