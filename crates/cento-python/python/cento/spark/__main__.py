"""What spark-submit runs: `spark-submit "$(cento-spark --script)" INPUT -o OUTPUT`."""

import sys

from cento.spark._command import main

if __name__ == "__main__":
    sys.exit(main())
