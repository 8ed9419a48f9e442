"""The command `cento`, which is in the package, and reads foreign formats for it."""

import os
import subprocess
import sys
from pathlib import Path


def program() -> Path | None:
    """The command, if the package has it or the environment names it."""
    named = os.environ.get("CENTO_PROGRAM")
    if named:
        return Path(named)
    name = "cento.exe" if os.name == "nt" else "cento"
    inside = Path(__file__).parent / "bin" / name
    return inside if inside.exists() else None


def main() -> int:
    """Becomes the command."""
    command = program()
    if command is None:
        print(
            "error: this package was built without the command; `cargo install --path "
            "crates/cento-cli` builds it, and CENTO_PROGRAM says where it is",
            file=sys.stderr,
        )
        return 2
    arguments = [str(command), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(arguments, check=False).returncode
    os.execv(command, arguments)


if __name__ == "__main__":
    sys.exit(main())
