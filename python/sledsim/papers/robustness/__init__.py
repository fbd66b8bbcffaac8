"""Claims of the papers that compare devices, layouts or policies, tested on many plausible devices."""
