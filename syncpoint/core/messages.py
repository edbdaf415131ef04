"""Messages as data: a code and named parameters.  Their language is chosen when they are shown, by :mod:`.texts`.

A grader has its own sentences: there the template itself is the code, as in gettext.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any, ClassVar, Union

from .errors import TemplateError
from .language import MARKS, language
from .strip import strip_control
from .texts import PLURALS, TEXTS

Value = Union[str, int, float, "Message"]
NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?%?")


@dataclass(frozen=True)
class Message:
    """A sentence, or a part that is a parameter of another sentence."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # what pydantic looks for

    code: str  # the name of its text in :mod:`.texts`, or the template of a grader's own sentence
    parameters: dict[str, Value] = field(default_factory=dict)  # values of the placeholders, by name

    @classmethod
    def of(cls, code: str, **parameters: Value) -> Message:
        """Create a message. Texts that students chose are made safe for terminals and databases."""
        return cls(code, parameters).changed(strip_control)

    def having(self, **parameters: Value) -> Message:
        """Return the same message with these parameters replaced."""
        return replace(self, parameters={**self.parameters, **parameters})

    def changed(self, change: Callable[[str], str]) -> Message:
        """Return the message with a function applied to all strings in it."""
        return replace(self, parameters={name: _changed(value, change) for name, value in self.parameters.items()})

    def __str__(self) -> str:
        try:
            return _filler.vformat(_text(self.code, self.parameters), (), _spoken(self.parameters))
        # from another version: a sentence that cannot be shown must not stop grading
        except (LookupError, ValueError, TypeError):
            return " ".join([self.code, *map(str, self.parameters.values())])


def say(code: str, **parameters: Value) -> str:
    """Return the sentence of a message to show at once."""
    return str(Message.of(code, **parameters))


def message(template: str, /, **values: Any) -> Message:
    """A sentence of a grader, or a part of one, which catalogues can translate: ``message("{count} of 3", count=2)``.

    Args:
        template: A literal with places in braces; ``{share:.2f}`` formats a number, ``{{`` is a brace.
        **values: Values of the placeholders, by name: a text, a number or another message.

    Raises:
        TemplateError: If the places and the values differ.
    """
    differ = disagreement(template, values.keys())
    if differ:
        raise TemplateError(differ)
    wanted = places(template)
    # As text, because JSON has no NaN and no NumPy numbers.
    parameters = {n: one if isinstance(one, Message) else format(one, wanted[n]) for n, one in values.items()}
    return Message.of(template, **parameters)


@functools.lru_cache(maxsize=4096)
def places(template: str) -> Mapping[str, str]:
    """Return a template's placeholders, which must be plain names, each with its format, or raise TemplateError."""
    found: dict[str, str] = {}
    try:
        for _, name, wanted, conversion in Formatter().parse(template):
            if name is not None:
                if not name.isidentifier() or conversion or "{" in str(wanted):
                    raise TemplateError(f"a place must be a plain name, and {{{name}}} in {template!r} is not")
                found[name] = str(wanted)
    except TemplateError:
        raise
    except ValueError as error:
        raise TemplateError(f"{template!r} is not a template: {error}") from None
    return found


def disagreement(template: str, given: Set[str]) -> str:
    """Return a sentence on how a template's placeholders and the names of its values differ; "" if they agree."""
    try:
        wanted = places(template).keys()
    except TemplateError as error:
        return str(error)
    differ = [f"no value for {name}" for name in sorted(wanted - given)]
    differ += [f"no place for {name}" for name in sorted(given - wanted)]
    return f"{template!r} has {' and '.join(differ)}" if differ else ""


def words(text: str) -> Message:
    """A sentence without a code, written by an instructor or an operator."""
    return Message.of("words", text=text)


def listed(parts: Iterable[Message | str]) -> Message:
    """List several things with commas, as each language writes them."""
    found = [part if isinstance(part, Message) else words(part) for part in parts] or [words("")]
    while len(found) > 1:  # in pairs, because a deeply nested message could not be shown
        pairs = itertools.zip_longest(found[::2], found[1::2])
        found = [one if other is None else Message.of("comma", first=one, second=other) for one, other in pairs]
    return found[0]


def to_data(message: Message) -> dict[str, Any]:
    inner = {
        name: to_data(value) if isinstance(value, Message) else value for name, value in message.parameters.items()
    }
    return {"code": message.code, "parameters": inner}


def from_data(data: Any) -> Message:
    """Return the message from the data of :func:`to_data`; any other text unchanged."""
    if not isinstance(data, dict):
        return words(str(data))
    inner = {name: from_data(value) if isinstance(value, dict) else value for name, value in data["parameters"].items()}
    return Message(data["code"], inner)


def _text(code: str, parameters: dict[str, Value]) -> str:
    """Return the text of a code in the current language, in the plural form that its number needs."""
    spoken = language()
    counted = PLURALS.get(code)
    text = spoken.texts.get(code)
    if text is None:
        if code not in TEXTS:
            return _template(code)
        one = counted is not None and parameters.get(counted.number) == 1
        return counted.one if one and counted is not None else TEXTS[code]
    if isinstance(text, str):
        return text
    number = parameters.get(counted.number, 0) if counted is not None else 0
    form = spoken.form(number) if isinstance(number, (int, float)) else 0
    return text[min(form, len(text) - 1)]


def _template(code: str) -> str:
    sentence = language().sentences.get(code, "" if code.isidentifier() else code)
    if not sentence:
        raise LookupError(code)
    return sentence


def _spoken(parameters: dict[str, Value]) -> dict[str, Value]:
    """Return the parameters, with known English ones (such as an engine's word) in the current language."""
    translated = language().word
    return {name: translated(value) if isinstance(value, str) else value for name, value in parameters.items()}


class _Filler(Formatter):
    """``str.format`` without attributes and indices; ``{who:capital}`` begins a sentence."""

    def get_field(self, field_name: str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        """Format a number with the language's marks; a text was formatted when its message was made."""
        text = format(value, format_spec) if isinstance(value, (int, float)) else str(value)
        if format_spec and NUMBER.fullmatch(text):
            return text.translate(str.maketrans(".,", _text(MARKS, {})))
        return text[:1].upper() + text[1:] if format_spec == "capital" else text


_filler = _Filler()


def _changed(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, Message):
        return value.changed(change)
    return change(value) if isinstance(value, str) else value
