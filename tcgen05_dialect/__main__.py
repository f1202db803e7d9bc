"""The command `tcgen05`, as `python -m tcgen05_dialect`."""

import sys

from .tools.main import main

if __name__ == "__main__":
    sys.exit(main())
