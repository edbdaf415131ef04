"""The form under an exercise of a page of feedback; a Jupyter server adds it, and a page in a file says how to ask.

The place of a form has the page's mark. Nobody knows it before the page is made, so no student's text can imitate one.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..core.language import ENGLISH, Language, speaking
from ..core.messages import say
from ..report.html import Html, coded, join, tag
from .ask import MAX_QUESTION_CHARACTERS, digest

TEXTS = (
    "page_you_asked form_open form_label form_hint form_send form_waiting ask_nothing ask_failed feedback_all".split()
)
HEAD = '<meta name="syncpoint-ask" content="{}">'
PLACE = '<div data-ask="{mark}" data-exercise="{cell}"><p>{how}</p></div>'
SHOWN = 'data-question="{}"'  # of an element with an answered question
CLOSED, OPEN = "form-action 'none'", "form-action 'self'"  # in the page's policy
STYLE = """<style>
.ask { margin: 1em 0; } .ask summary { display: list-item; cursor: pointer; text-decoration: underline; }
 .ask label { display: block; margin: .5em 0; }
.ask textarea { width: 100%; padding: .4em; border: 1px solid #777; background: inherit; color: inherit; }
.ask button { padding: .4em .8em; border: 1px solid #777; background: inherit; color: inherit; }
.ask .asked { white-space: pre-wrap; overflow-wrap: anywhere; } nav { padding: 1em 0; }
</style>"""


def head(mark: str, language: Language) -> str:
    """Return what the head of a page needs: its mark, and the form's texts in its language."""
    data = {"mark": mark, "language": language.only(TEXTS).to_data()}
    return HEAD.format(html.escape(json.dumps(data)))


def place(mark: str, cell: str, how: str) -> str:
    """Return the place for the form of an exercise, with a sentence on how to ask without it."""
    return PLACE.format(mark=mark, cell=html.escape(cell), how=coded(how))


@dataclass(frozen=True)
class Page:
    """A page of feedback."""

    text: str
    mark: str  # its mark; "" if it has no places for forms
    language: Language

    @classmethod
    def read(cls, text: str) -> Page:
        """Read a page of this version or another one."""
        before, _, _ = text.partition("<body>")
        found = re.search(HEAD.format('([^"]*)'), before)
        try:
            data = json.loads(html.unescape(found[1])) if found else {}
            return cls(text, str(data["mark"]), Language.from_data(data["language"]))
        except (ValueError, LookupError, TypeError):
            return cls(text, "", ENGLISH)

    @property
    def cells(self) -> list[str]:
        """The exercises with places."""
        return [html.unescape(cell) for cell, _ in self._places.findall(self.text)] if self.mark else []

    def with_forms(
        self, xsrf: str, sent: Mapping[str, tuple[str, str]], above: str, typed: tuple[str, str, str] = ("", "", "")
    ) -> str:
        """Return the page with a form, and the unanswered questions, in each place.

        ``xsrf`` is Jupyter's token, which the form sends back; ``sent`` the questions by their digests, see
        :func:`.ask.sent`; ``above`` the address of the student's other pages; ``typed`` an exercise, the question that
        was not sent, and why.
        """
        waiting = {one: about for one, about in sent.items() if SHOWN.format(one) not in self.text}

        def form(found: re.Match[str]) -> str:
            cell = html.unescape(found[1])
            asked = [_waiting(one, text) for one, (name, text) in waiting.items() if one == digest(cell, text)]
            return tag(
                "div", *asked, _form(cell, xsrf, *(typed[1:] if typed[0] == cell else ("", ""))), **{"class": "ask"}
            )

        with speaking(self.language):
            page = self._places.sub(form, self.text) if self.mark else self.text
            link = tag("nav", tag("a", say("feedback_all"), href=above), **{"class": "container"})
        page = page.replace(CLOSED, OPEN, 1).replace("</head>", f"{STYLE}</head>", 1)
        return page.replace("<body>", f"<body>{link}", 1)

    @property
    def _places(self) -> re.Pattern[str]:
        return re.compile(PLACE.format(mark=re.escape(self.mark), cell='([^"]*)', how="(.*?)"), re.DOTALL)


def gap() -> str:
    """Return what follows a colon: nothing in a language with wide colons."""
    return " " * say("labelled", label="", text="").endswith(" ")


def anchor(one: str) -> str:
    """Return the id of the element with an unanswered question, by the question's digest."""
    return f"asked-{one}"


def _waiting(one: str, question: str) -> Html:
    text = join(tag("b", say("page_you_asked")), gap(), question)
    return tag("div", tag("p", text, **{"class": "asked"}), tag("p", say("form_waiting")), id=anchor(one), tabindex=-1)


def _form(cell: str, xsrf: str, question: str, why: str) -> Html:
    name, id = cell[5:] if cell.startswith("test_") else cell, f"ask-{cell}"
    return tag(
        "details",
        tag("summary", say("form_open")),
        tag(
            "form",
            tag("p", why, role="alert") if why else "",
            Html(f'<input type="hidden" name="_xsrf" value="{html.escape(xsrf)}">'),
            Html(f'<input type="hidden" name="exercise" value="{html.escape(cell)}">'),
            tag("label", say("form_label", exercise=name), **{"for": id}),
            tag(
                "textarea",
                question,
                **{"id": id, "name": "question", "rows": 4, "maxlength": MAX_QUESTION_CHARACTERS, "required": ""},
                aria_describedby=f"{id}-hint",
            ),
            tag("p", say("form_hint", most=MAX_QUESTION_CHARACTERS), id=f"{id}-hint"),
            tag("button", say("form_send")),
            method="post",
        ),
        **({"open": ""} if why else {}),
    )
