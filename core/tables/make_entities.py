"""Print core/src/html/entities.rs: the named character references of the HTML standard, from Python's own table."""

from html.entities import html5

HEAD = """//! The named character references of the HTML standard, sorted by the bytes of their names.
//!
//! Generated: `python core/tables/make_entities.py > core/src/html/entities.rs && rustfmt core/src/html/entities.rs`.
"""


def literal(text: str) -> str:
    return (
        '"'
        + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\u{{{ord(c):x}}}" for c in text)
        + '"'
    )


names = sorted(html5)
print(HEAD)
print("/// Names without `&`, and what they stand for. Only the old ones exist without a semicolon too.")
print(f"pub static ENTITIES: [(&str, &str); {len(names)}] = [")
for name in names:
    print(f"    ({literal(name)}, {literal(html5[name])}),")
print("];")
print()
longest = max(len(name) for name in names if not name.endswith(";"))
print("/// The longest name that needs no semicolon.")
print(f"pub const LONGEST_WITHOUT_SEMICOLON: usize = {longest};")
print()
print("/// The longest name, with its semicolon.")
print(f"pub const LONGEST: usize = {max(map(len, names))};")
