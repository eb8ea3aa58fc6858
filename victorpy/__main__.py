import sys

from victorpy.cli.main import main

sys.exit(main())
