"""Faults put into the core one by one: which tests find each."""
