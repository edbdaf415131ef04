"""axe-core on a page that a test has open, and who can be reached by the keyboard."""

from functools import cache
from pathlib import Path

from classroom import ROOT
from playwright.sync_api import Page

AXE = ROOT / "tests" / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "no axe-core; `bash scripts/setup.sh axe` installs it, and needs npm (apt install npm)"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
RUN = """async levels => (await axe.run(document, {runOnly: {type: "tag", values: levels}})).violations.flatMap(
    rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)} (${rule.help}) `
        + node.any.map(check => check.message).join("; ")))"""
FOCUSED = """() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    if (!at || at === document.body) return ""
    const name = at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || at.name || at.className
    return `${at.getAttribute("role") || at.tagName.toLowerCase()}: ${name.trim().slice(0, 60)}`
}"""


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What breaks WCAG 2.1 AA on the page as it stands, as far as a program can see; also inside of shadow roots."""
    page.evaluate(_axe())
    return page.evaluate(RUN, LEVELS)


def violations_on(page: Page, path: Path, name: str, opened: bool = False) -> list[str]:
    """What breaks WCAG on a page in light, in dark and on a phone, and whether the page is wider than the window.

    With ``opened``, everything that opens is open.
    """
    found = []
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 390)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        if opened:
            page.evaluate("document.querySelectorAll('details').forEach(box => box.open = true)")
        found += [f"{name} {scheme} {width}: {one}" for one in violations(page)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{name} is wider than {width} pixels")
    return found


def tabbed(page: Page, most: int = 60) -> list[str]:
    """Return the elements that the Tab key reaches in order, until it comes round or reaches a limit."""
    found: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if found and (not at or at == found[0]):
            break
        if at:
            found.append(at)
    return found


def tab_to(page: Page, stop: str, most: int = 120, dead_ends: bool = True) -> str:
    """Press Tab until something is reached whose name, as in `tabbed`, begins so; nothing else moves the focus.

    Without ``dead_ends`` each press must lead somewhere: what lets go of the focus at once cannot be seen.
    """
    seen = []
    for _ in range(most):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        assert dead_ends or seen[-1], f"behind {seen[-2:-1]} the focus is nowhere"
        if seen[-1].startswith(stop):
            return seen[-1]
    raise AssertionError(f"Tab does not lead to {stop!r}, but to {seen}")
