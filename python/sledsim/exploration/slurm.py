"""A script that runs the shards of a sweep as an array job of SLURM."""

import shlex
from collections.abc import Sequence

from .. import _native

#: Clusters limit how many tasks an array job has; 5,000 is common.
_MOST = 100_000
#: Threads of a task, unless another number is asked for.
_CPUS = 2


def script(words: Sequence[str], tasks: int, folder: str, workers: int | None = None) -> str:
    """A script for ``sbatch``, with a shard a task.

    Args:
        words: The command with its options, without ``--slurm`` and ``--workers``.
        tasks: How many shards there are.
        folder: Where the ledger goes; all nodes have to see it. SLURM writes what the tasks say there, and
            does not make it.
        workers: Threads of a task.

    Raises:
        ParameterError: There would be no task, or too many.
    """
    if not 1 <= tasks <= _MOST:
        raise _native.ParameterError(f"slurm = {tasks}: expected 1 to {_MOST:,} tasks")
    command = " ".join([*map(shlex.quote, words), "--shard", f'"$SLURM_ARRAY_TASK_ID/{tasks}"'])
    return f"""#!/bin/bash
#SBATCH --job-name=sledsim
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task={workers or _CPUS}
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output={shlex.quote(f"{folder.replace('%', '%%')}/slurm-%A_%a.out")}
# A task that is stopped, or runs out of time, is started again as it is: what it has done is kept.
# When all are done: sledsim sweep status {shlex.quote(folder)} && sledsim sweep merge {shlex.quote(folder)}
set -e
mkdir -p {shlex.quote(folder)}
exec {command} --workers "${{SLURM_CPUS_PER_TASK:-{workers or _CPUS}}}"
"""
