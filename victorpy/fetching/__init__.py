"""Fetches web pages: politely, within bounds, and on request only from public addresses.

    from victorpy.fetching.fetch_settings import FetchSettings
    from victorpy.fetching.fetcher import Fetcher, fetch

    fetched = fetch("https://harbour.example/", FetchSettings(forbid_private=True))
    print(fetched.failure, fetched.problem, fetched.final_url, fetched.data)

A `Fetcher` keeps what it knows of hosts: robots.txt, and the time of the last request. Threads may share one.
"""
