"""Tables and sentences of results for terminals and notebooks: one file a kind, and results know none."""
