"""Let schemathesis ask the REST interface what its own description allows and forbids.

python benchmarks/api_contract.py [EXAMPLES]

Needs the package schemathesis. Ends with status 1 if an answer is an error of the server, has an undocumented form, or
accepts what the description forbids. Requests that the description allows may be refused: it does not say, for example,
what a valid selector is.
"""

import shutil
import subprocess
import sys

from serve_clients import served

CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance,negative_data_rejection"


def main() -> int:
    examples = sys.argv[1] if len(sys.argv) > 1 else "50"
    program = shutil.which("schemathesis")
    if not program:
        sys.exit("schemathesis is not installed")
    with served("-j", 1) as server:
        address = f"http://127.0.0.1:{server.port}/openapi.json"
        command = [program, "run", address, "-n", examples, "--checks", CHECKS, "--phases", "examples,coverage,fuzzing"]
        # The first explanation waits until its process has loaded what it needs.
        command += ["--request-timeout", "120"]
        only = "^/(api/(clean|batch|choices|explain|perplexity)|health|metrics)$"
        return subprocess.run([*command, "--include-path-regex", only], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
