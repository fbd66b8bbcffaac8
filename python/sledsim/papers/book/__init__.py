"""The book: web pages on all experiments, and the list, the runs and the recorded findings behind them."""
