"""The other tools: installed into a folder that may be thrown away, and how each is asked.

A job takes a folder of collections, each a folder of programs, and writes a line for each pair it lists:
collection, file, file, score, with tabs between them.
"""

import os
import pathlib
import shutil
import subprocess
import sys

JOBS = pathlib.Path(__file__).resolve().parent / "jobs"
PYTHON_PACKAGES = {"copydetect": "copydetect==0.5.0", "compare50": "compare50==1.2.15"}
# Its parsers are compiled when it is installed, for which npm needs a C++ compiler, make and Python.
NODE_PACKAGES = {"dolos": "@dodona/dolos-lib@3.5.1"}


class Peers:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.python = self.folder / "python" / "bin" / "python"
        self.node = self.folder / "node"

    def install(self, tools):
        """Installs those that are asked for, and tells which of them cannot be had and why."""
        missing = {}
        for tool in sorted(tools):
            try:
                if tool in PYTHON_PACKAGES:
                    self.install_python(PYTHON_PACKAGES[tool])
                if tool in NODE_PACKAGES:
                    self.install_node(NODE_PACKAGES[tool])
            except (OSError, subprocess.CalledProcessError) as error:
                said = getattr(error, "stderr", None) or str(error)
                missing[tool] = said.strip()[-500:]
        return missing

    def install_python(self, package):
        quiet = {"check": True, "capture_output": True, "text": True}
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", self.folder / "python"], **quiet)
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", package], **quiet)

    def install_node(self, package):
        quiet = {"check": True, "capture_output": True, "text": True}
        self.node.mkdir(parents=True, exist_ok=True)
        if not (self.node / "node_modules" / package.rsplit("@", 1)[0]).exists():
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", package], cwd=self.node, **quiet)
        # A module finds packages beside itself only.
        shutil.copy(JOBS / "run_dolos.mjs", self.node)
        subprocess.run(["node", "--input-type=module", "-e", 'import "@dodona/dolos-lib"'], cwd=self.node, **quiet)

    def command(self, tool, argument, collections, pairs):
        if tool == "dolos":
            return ["node", self.node / "run_dolos.mjs", collections, pairs, argument]
        # The seed that compare50's own command sets.
        return ["env", "PYTHONHASHSEED=50", self.python, JOBS / f"run_{tool}.py", collections, pairs, argument]


def cento(given):
    """The program: the given one, or one that is built."""
    if given:
        return pathlib.Path(given).resolve()
    root = JOBS.parent.parent.parent
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "cento-cli"], cwd=root, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "cento"
