"""Takes the pictures of the dashboard for docs/images/, of a generated class with invented names."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import BrowserContext

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from browser import running_browser  # noqa: E402
from dashboard_server import TOKEN, dashboard, free_port  # noqa: E402
from generated_class import Size, generate  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ASSIGNMENTS = ("async", "async_np", "hybridize")
DESK, PHONE = (1180, 860), (390, 780)
PATIENCE = 120_000  # milliseconds
SHOTS = [
    ("class", "view=class", DESK),
    ("exercises", "view=exercises", DESK),
    ("misconceptions", "view=misconceptions&misconception=wait-in-the-loop", DESK),
    ("students", "view=students", DESK),
    ("student", "view=students&student={student}", DESK),
    ("health", "view=health", DESK),
    ("cost", "view=cost", DESK),
    ("dark", "view=class&theme=dark", DESK),
    ("phone", "view=students", PHONE),
]


def main(
    into: Annotated[Path, typer.Option(help="The folder of the pictures.", file_okay=False)] = IMAGES,
) -> None:
    """Take the pictures of the dashboard for docs/images/, of a generated class with invented names."""
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        course = generate(Path(folder) / "autumn-term", Size(48, ASSIGNMENTS))
        port = free_port()
        with dashboard(course, "--port", str(port)):
            take_all(browser.new_context(), f"http://127.0.0.1:{port}", into)


def take_all(context: BrowserContext, home: str, into: Path) -> None:
    """Take the pictures of SHOTS, each with its address."""
    context.set_default_timeout(PATIENCE)
    context.request.get(f"{home}/login?next=/?token={TOKEN}", max_redirects=0)
    student = ""
    for name, query, (width, height) in SHOTS:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{home}/?{query.format(student=student)}", wait_until="networkidle")
        page.locator(".tabulator-row").first.wait_for()
        if name == "students":
            student = page.locator(".tabulator-cell[tabulator-field=student]").nth(4).inner_text()
        page.screenshot(path=into / f"dashboard-{name}.png")
        page.close()
        print(into / f"dashboard-{name}.png")


if __name__ == "__main__":
    typer.run(main)
