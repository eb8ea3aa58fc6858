import sys

from victorpy.cli import main

sys.exit(main())
