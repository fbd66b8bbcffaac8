"""Which comparing claims of the papers hold over all plausible devices, and what decides."""
