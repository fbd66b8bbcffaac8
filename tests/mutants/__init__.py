"""Faults put into the core one by one, and the tests that find each."""
