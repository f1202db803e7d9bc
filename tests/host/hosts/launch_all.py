"""A host program: `tcgen05 launch` for each of its arguments."""

import sys

from tcgen05_dialect.tools.main import main

sys.exit(max(main(["launch", each]) for each in sys.argv[1:]))
