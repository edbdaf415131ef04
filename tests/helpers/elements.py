"""The elements of a page or a picture."""

from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page, in order, the names of their attributes, labels and text, and how many are still open."""

    def __init__(self, page: str):
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.labels: list[str | None] = []
        self.words = ""
        self.open = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        self.labels += [value for name, value in attributes if name == "aria-label"]
        self.open += 1

    def handle_endtag(self, tag: str) -> None:
        self.open -= 1

    def handle_data(self, data: str) -> None:
        self.words += data
