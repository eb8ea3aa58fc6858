"""The build backend: maturin, with what is shipped put where the package finds it.

Configs, templates and models lie at the top of the tree, where people edit them, and travel inside the package.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin

SHIPPED = (
    *("configs", "templates", "labeler-models", "models/cleaneval", "models/web"),
    *("language-models/udhr", "language-models/stupidos-clean", "language-models/stupidos-dirty"),
)
DATA = Path("victorpy/data")

get_requires_for_build_wheel = maturin.get_requires_for_build_wheel
get_requires_for_build_sdist = maturin.get_requires_for_build_sdist
get_requires_for_build_editable = maturin.get_requires_for_build_editable
prepare_metadata_for_build_wheel = maturin.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = maturin.prepare_metadata_for_build_editable
build_sdist = maturin.build_sdist
# A checkout that is installed to be edited uses the folders at its top.
build_editable = maturin.build_editable


def build_wheel(*arguments: Any, **options: Any) -> str:
    with _data_in_package():
        return str(maturin.build_wheel(*arguments, **options))


@contextmanager
def _data_in_package() -> Iterator[None]:
    shutil.rmtree(DATA, ignore_errors=True)
    for name in SHIPPED:
        shutil.copytree(name, DATA / name)
    try:
        yield
    finally:
        shutil.rmtree(DATA)
