"""Studies of many devices, workloads and policies: every combination is run and kept in a ledger."""
