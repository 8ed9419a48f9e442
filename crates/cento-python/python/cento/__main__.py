"""`python -m cento` is the command."""

import sys

from cento._command import main

if __name__ == "__main__":
    sys.exit(main())
