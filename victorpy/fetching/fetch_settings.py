"""How pages are fetched."""

import re
from dataclasses import dataclass

from victorpy import _core
from victorpy.errors import OptionError
from victorpy.foundation.bounds import AT_LEAST_0, AT_LEAST_1, MORE_THAN_0, Range, check_bounds

USER_AGENT = f"victor-cleaner/{_core.__version__} (+https://pypi.org/project/victor-cleaner/)"

LONGEST_DELAY = 3_600

_BOUNDS = {
    "delay": Range(0, LONGEST_DELAY),
    "seconds": MORE_THAN_0,
    "max_bytes": AT_LEAST_1,
    "max_redirects": AT_LEAST_0,
    "retries": AT_LEAST_0,
    "longest_wait": AT_LEAST_0,
    "connections": AT_LEAST_1,
}
_HEADER_VALUE = re.compile(r"[\x20-\x7e\xa0-\xff]+")


@dataclass(frozen=True, kw_only=True)
class FetchSettings:
    """Politeness and bounds.

    `delay` are the seconds between two requests to a host, `seconds` bound one request with its redirects, and
    `longest_wait` bounds what robots.txt and Retry-After may ask for. `forbid_private` refuses addresses that are not
    public: a server that fetches for others needs it. `cache` is a folder for conditional requests.
    """

    delay: float = 1.0
    seconds: float = 30.0
    max_bytes: int = 32_000_000
    max_redirects: int = 10
    retries: int = 2
    longest_wait: float = 60.0
    connections: int = 8
    ignore_robots: bool = False
    forbid_private: bool = False
    user_agent: str = USER_AGENT
    cache: str | None = None

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)
        if not _HEADER_VALUE.fullmatch(self.user_agent.strip()):
            raise OptionError("expected a name in one line of Latin letters, such as 'mine/1.0'", "user-agent")

    @property
    def robot(self) -> str:
        """The name that robots.txt may have rules for: the product of the user agent, without its version."""
        return self.user_agent.split()[0].partition("/")[0]
