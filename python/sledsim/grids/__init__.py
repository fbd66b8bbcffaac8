"""Tables and sentences in which terminals and notebooks show results, with a module per kind of result."""
