"""What the experiments of several papers share: claims and verdicts, policies, traces."""
