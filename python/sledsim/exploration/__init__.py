"""Many devices, workloads and policies: every combination asked for, kept in a ledger."""
