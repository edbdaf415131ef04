"""The commands of the pages in docs/how-to/, so that tests type what an operator would."""

import re
import subprocess
from functools import cache

from classroom import ROOT, environment

BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def section(page: str, title: str) -> str:
    """The text under a heading, up to the next one of the same level or a higher one."""
    text = (ROOT / "docs" / "how-to" / page).read_text()
    head = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert head, f"docs/how-to/{page} has no heading {title!r}"
    rest = text[head.end() :]
    end = re.search(rf"^#{{1,{len(head[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def commands(page: str, title: str, number: int = 0, **values: str) -> str:
    """A block of commands under a heading, with other values given to the variables that its first lines set."""
    text = BLOCK.findall(section(page, title))[number]
    for name, value in values.items():
        text, found = re.subn(rf"^{name}=\S+", f"{name}={value}", text, flags=re.MULTILINE)
        assert found == 1, f"the block sets no {name}"
    return text


def shell(lines: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Type these lines into a shell that stops at the first one that fails."""
    return subprocess.run(["bash", "-euc", lines], capture_output=True, text=True, env=environment(**more), cwd="/")
