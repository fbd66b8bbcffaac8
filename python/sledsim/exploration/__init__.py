"""Many devices, workloads and policies: every combination of what is asked for, kept in a ledger."""
