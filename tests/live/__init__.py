"""The page in which the simulator runs, and the module in it."""
