import pytest

from victorpy.foundation.hosts import domain_of, host_of, site_of


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Harbour.Example/boats", "harbour.example"),
        ("http://me:secret@harbour.example.:8080?x", "harbour.example"),
        ("<http://harbour.example/>", "harbour.example"),
        ("http://[2001:DB8::1]:80/", "[2001:db8::1]"),
        ("http://přístav.example/", "přístav.example"),
        ("//harbour.example/boats", "harbour.example"),
        ("dns:harbour.example", None),
        ("filedesc://harbour.arc", None),
        ("http:///boats", None),
        ("", None),
    ],
)
def test_the_host_of_an_address(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "id", "site"),
    [
        ("http://www.Harbour.example:80/a?b#c", "", "harbour.example"),
        ("https://me@news.harbour.example/x", "", "news.harbour.example"),
        ("//harbour.example/x", "", "harbour.example"),
        (None, "mirror/www.harbour.example/2012/ferry", "harbour.example"),
        ("no address", "harbour.example/x", "harbour.example"),
        ("http://[", "ferry", "given"),
        ("http://[2001:db8::1]/", "ferry", "[2001:db8::1]"),
        ("http://harbour.example./", "ferry", "harbour.example"),
        (None, "harbour.example", "given"),
        (None, "", "given"),
    ],
)
def test_the_site_of_a_page_is_its_host_or_a_folder_named_as_one(url, id, site):
    assert site_of(url, id, "given") == site


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
