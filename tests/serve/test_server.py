"""`victor serve`, in a process of its own."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

pytestmark = pytest.mark.process


def address(process):
    """The address that the server prints when it listens."""
    return re.search(r"http://\S+", process.stderr.readline().decode())[0]


def test_the_server_prints_its_address_answers_and_ends_with_ctrl_c(victor_process):
    process = victor_process.start("serve", "--port", 0)

    with urllib.request.urlopen(f"{address(process)}health", timeout=120) as answer:
        assert answer.read() == b'{"status":"ok"}'
    process.send_signal(signal.SIGINT)

    assert process.wait(120) in {0, 130}


def test_a_port_in_use_is_an_error_with_a_remedy(victor_process):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = victor_process("serve", "--port", taken.getsockname()[1])

    assert ran.status == 2
    assert "another program uses this port: choose another with --port" in ran.err


def test_a_folder_that_is_not_there_is_an_error(victor_process):
    ran = victor_process("serve", "nowhere")

    assert (ran.status, ran.err) == (2, "victor: nowhere: no such folder\n")


def test_an_address_that_others_reach_gets_a_token_by_itself(victor_process):
    process = victor_process.start("serve", "--port", 0, "--host", "0.0.0.0")

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address(process))


LARGE_AND_SMALL = """
from pathlib import Path
from victorpy.serve import server

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 1_000_000

{call}
bytes(3_000_000)  # seen once, no longer mapped
before, stays = megabytes(), []
for _ in range(3):
    pieces = [(bytes(2_000_000), bytes(2_000)) for _ in range(50)]
    stays += [small for _, small in pieces]
    del pieces
print(megabytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_what_large_answers_took_goes_back_to_the_system():
    program = LARGE_AND_SMALL.format(call="server.give_memory_back()")

    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert int(ran.stdout) < 30
