"""A script that runs the shards of a sweep as an array job of the batch system SLURM."""

import shlex
from collections.abc import Sequence

from .. import _native

#: Largest number of tasks in an array job; clusters often allow 5,000.
_MOST = 100_000
#: Default number of threads of a task.
_CPUS = 2


def script(words: Sequence[str], tasks: int, folder: str, workers: int | None = None) -> str:
    """Return a script for ``sbatch`` that runs one shard per task.

    Args:
        words: Words of the command with its options, without ``--slurm`` and ``--workers``.
        tasks: Number of tasks, each of which runs one shard.
        folder: Folder of the ledger, which all nodes can access. It must exist, because SLURM writes the
            output of the tasks into it.
        workers: Number of threads of a task; None takes 2.

    Raises:
        ParameterError: The number of tasks is 0 or too large.
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
# A task that is stopped, or runs out of time, is started again unchanged: its finished points are kept.
# When all are done: sledsim sweep status {shlex.quote(folder)} && sledsim sweep merge {shlex.quote(folder)}
set -e
mkdir -p {shlex.quote(folder)}
exec {command} --workers "${{SLURM_CPUS_PER_TASK:-{workers or _CPUS}}}"
"""
