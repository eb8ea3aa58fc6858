"""victor completion"""

import argparse
import sys

from victorpy.cli.completion_scripts import SHELLS
from victorpy.foundation.exit_codes import FINE


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=sorted(SHELLS), help='such as in: eval "$(victor completion bash)"')


def run(options: argparse.Namespace) -> int:
    sys.stdout.write(SHELLS[options.shell]())
    return FINE
