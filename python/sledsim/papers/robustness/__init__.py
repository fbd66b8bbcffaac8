"""Comparing claims of the papers over all plausible devices, and the parameters that decide them."""
