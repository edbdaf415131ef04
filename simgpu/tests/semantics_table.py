"""Writes the table of CUDA's semantics out of the marks of the tests: ``python tests/semantics_table.py PATH`` in simgpu/."""

import contextlib
import io
import sys
from pathlib import Path

import pytest


class Collector:
    """Pytest's plugin that keeps the marks."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str, str], list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("cuda"):
                identity = item.nodeid.partition("[")[0]
                ids = self.rows.setdefault(mark.args, [])
                if identity not in ids:
                    ids.append(identity)


def table() -> str:
    """The page."""
    collector = Collector()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"], plugins=[collector])
    lines = [
        "# CUDA's semantics and ours",
        "",
        "Generated from the tests of each row (`make simgpu-docs`); there is no row without a test.",
        "",
        "| CUDA | source | here | test |",
        "|---|---|---|---|",
    ]
    for (behaviour, source, ours), ids in collector.rows.items():
        lines.append(f"| {behaviour} | {source} | {ours} | {', '.join(f'`{i}`' for i in ids)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(table())
