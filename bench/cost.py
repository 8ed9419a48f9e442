"""What a command costs: wall time, processor time, and the peak memory of its largest process."""

import os
import pathlib
import subprocess
import sys
import tempfile

# Starts a command from a process that is small: the memory of who starts it counts as its own.
LAUNCHER = """
import os, sys, time
start = time.monotonic()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
with open(sys.argv[1], "w") as out:
    print(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, file=out)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Cost:
    """Seconds, seconds and megabytes."""

    def __init__(self, wall, processor, memory):
        self.wall, self.processor, self.memory = wall, processor, memory


def measured(command, limit=None):
    """Runs a command; tells its cost, or nothing if it took longer than so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        note = pathlib.Path(folder, "cost")
        launch = [sys.executable, "-I", "-S", "-c", LAUNCHER, note, *command]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        process = subprocess.Popen(list(map(str, launch)), start_new_session=True, **quiet)
        try:
            _, said = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return None
        if process.returncode != 0:
            said = said.decode(errors="replace")[-2000:]
            raise SystemExit(f"{' '.join(map(str, command))}\n{said}")
        return Cost(*map(float, note.read_text().split()))
