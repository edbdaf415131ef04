"""What is to be said, as data: a code and named parameters.  It becomes a sentence last, by :mod:`.texts`.

So what is kept and what crosses between machines holds no language, and a better sentence changes no result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Union

from .language import language
from .strip import strip_control
from .texts import PLURALS, TEXTS

Value = Union[str, int, float, "Message"]


@dataclass(frozen=True)
class Message:
    """A sentence, or a part of one that stands in a parameter of another.

    Attributes:
        code: The name of its text in :mod:`.texts`.
        parameters: What fills the places of the text, by name.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # what pydantic looks for

    code: str
    parameters: dict[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, code: str, **parameters: Value) -> Message:
        """A message.  What students chose commands no terminal and fits any database."""
        return cls(code, parameters).changed(strip_control)

    def having(self, **parameters: Value) -> Message:
        """The same message with these parameters in the place of others."""
        return replace(self, parameters={**self.parameters, **parameters})

    def changed(self, change: Callable[[str], str]) -> Message:
        """The same message, with this done to all strings that stand in it."""
        return replace(self, parameters={name: _changed(value, change) for name, value in self.parameters.items()})

    def __str__(self) -> str:
        try:
            return _text(self.code, self.parameters).format(**_spoken(self.code, self.parameters))
        except (LookupError, ValueError, TypeError):  # of another version: no sentence is worth a grade
            return " ".join([self.code, *map(str, self.parameters.values())])

    def __format__(self, wanted: str) -> str:
        """In another message; ``{who:capital}`` begins a sentence."""
        said = str(self)
        return said[:1].upper() + said[1:] if wanted == "capital" else said


def say(code: str, **parameters: Value) -> str:
    """The sentence of a message that is shown at once."""
    return str(Message.of(code, **parameters))


def words(text: str) -> Message:
    """A sentence that has no code: an instructor's grader has written it."""
    return Message.of("words", text=text)


def to_data(message: Message) -> dict[str, Any]:
    """The message as what JSON has."""
    inner = {
        name: to_data(value) if isinstance(value, Message) else value for name, value in message.parameters.items()
    }
    return {"code": message.code, "parameters": inner}


def from_data(data: Any) -> Message:
    """The message that :func:`to_data` made this of; any other text in its own words."""
    if not isinstance(data, dict):
        return words(str(data))
    inner = {name: from_data(value) if isinstance(value, dict) else value for name, value in data["parameters"].items()}
    return Message(data["code"], inner)


def _text(code: str, parameters: dict[str, Value]) -> str:
    """The text of a code in the language that is spoken now, in the form that its number asks for."""
    spoken = language()
    counted = PLURALS.get(code)
    text = spoken.texts.get(code)
    if text is None:
        one = counted is not None and parameters.get(counted.number) == 1
        return counted.one if one and counted is not None else TEXTS[code]
    if isinstance(text, str):
        return text
    number = parameters.get(counted.number, 0) if counted is not None else 0
    form = spoken.form(number) if isinstance(number, (int, float)) else 0
    return text[min(form, len(text) - 1)]


def _spoken(code: str, parameters: dict[str, Value]) -> dict[str, Value]:
    """The parameters, with known English ones, such as an engine's word, in that language."""
    said = language().sentence if code == "words" else language().word
    return {name: said(value) if isinstance(value, str) else value for name, value in parameters.items()}


def _changed(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, Message):
        return value.changed(change)
    return change(value) if isinstance(value, str) else value
