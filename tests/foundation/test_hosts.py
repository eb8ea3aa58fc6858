import pytest

from victorpy.foundation.hosts import domain_of, host_of


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Harbour.Example/boats", "harbour.example"),
        ("http://me:secret@harbour.example.:8080?x", "harbour.example"),
        ("<http://harbour.example/>", "harbour.example"),
        ("http://[2001:DB8::1]:80/", "[2001:db8::1]"),
        ("http://přístav.example/", "přístav.example"),
        ("dns:harbour.example", None),
        ("filedesc://harbour.arc", None),
        ("http:///boats", None),
        ("", None),
    ],
)
def test_the_host_of_an_address(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("news.harbour.co.uk", "harbour.co.uk"),
        ("harbour.cz", "harbour.cz"),
        ("a.b.harbour.github.io", "harbour.github.io"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("192.0.2.17", "192.0.2.17"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ],
)
def test_the_domain_of_a_host(host, domain):
    pytest.importorskip("publicsuffixlist")

    assert domain_of(host) == domain
