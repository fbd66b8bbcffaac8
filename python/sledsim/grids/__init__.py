"""Tables and sentences of results for terminals and notebooks: one module per kind of result."""
