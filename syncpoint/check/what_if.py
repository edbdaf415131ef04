"""``%syncpoint what-if prefetcher 16``: changes a line of the student's code, and shows the effects."""

from __future__ import annotations

import ast
import inspect
import linecache
import random
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..core.messages import Message, listed, say
from ..core.timeline_data import Timeline
from ..engines.base import EngineGone
from ..observe.errors import NotTested, StudentError
from ..observe.observation import Log
from ..observe.timeline_from_log import timeline
from ..probe.handlers import Probe
from ..report.html import NOTHING, coded, join, tag
from ..report.row import STYLE
from ..report.timeline_picture import describe, legend, plain_picture
from .edits import Edit, Statement, statements, swapped, text_of, without
from .effects import Difference, Facts, facts
from .engine import LocalEngine, local_engine
from .errors import CannotCheck
from .student import LocalProcess, Student
from .visible_tests import Visible, imported
from .waiting import only_waits

WHAT_IF = "what_if"  # the module next to the visible tests that calls the exercises
WAIT = "WAIT"  # its constant with code that makes the host wait for everything
SWAP = "swap"
CHANGED = "<ipython-input-what-if>"  # the file name of the changed cell, so that its lines count as a cell's


@dataclass(frozen=True)
class Outcome:
    """The effects of changing a line."""

    change: Message  # in words
    sentences: list[Message]  # the effects
    # the pictures of the two runs; None if the changed code fails or runs in several threads
    before: Timeline | None = None
    after: Timeline | None = None

    def html(self) -> str:
        """The outcome for the notebook, without scripts."""
        before, after = plain_picture(self.before), plain_picture(self.after)
        if before and after == before:
            after = tag("p", say("viva_same_picture"))
        pictures = (("viva_before", before), ("viva_after", after))
        return tag(
            "div",
            tag("div", tag("span", coded(self.change)), style=STYLE["head"]),
            tag("ul", *(tag("li", coded(sentence)) for sentence in self.sentences)),
            *(
                join(tag("div", say(code)), tag("div", shown, style="overflow-x:auto"))
                for code, shown in pictures
                if shown
            ),
            tag("div", legend((self.before, self.after)), say("picture_caption"), style=STYLE["signs"])
            if before
            else NOTHING,
            style=STYLE["box"],
            **{"class": "tex2jax_ignore mathjax_ignore"},
        )

    def plain(self) -> str:
        """The same as text."""
        pictures = (("viva_before", self.before), ("viva_after", self.after))
        drawn = [f"{say(code)}: {describe(shown)}" for code, shown in pictures if shown is not None]
        return "\n".join([str(self.change), *(f"  {sentence}" for sentence in self.sentences), *drawn])


class _Noted(dict[str, Any]):
    """Variables that record which of them were read."""

    def __init__(self, variables: dict[str, Any]):
        super().__init__(variables)
        self.asked: list[str] = []

    def __getitem__(self, name: str) -> Any:
        self.asked.append(name)
        return super().__getitem__(name)


def what_if(visible: Visible, exercise: str, words: list[str], namespace: dict[str, Any]) -> Outcome | str:
    """Change a line of an exercise, and run both codes.

    ``words`` begins with the number of a line of its cell to leave out; with "swap", it changes places with the next
    statement.  Without a line, the lines that can be named are returned.

    Raises:
        CannotCheck: If nothing can be changed or run; the text says why.
    """
    about = visible.about
    path = visible.folder / f"{WHAT_IF}.py"
    known = names_of(path.read_bytes()) if path.is_file() else []
    if exercise not in known:
        raise CannotCheck(say("what_if_no_exercise", exercise=exercise, exercises=listed(known)))
    engine, seed = local_engine(about), random.randrange(1 << 30)
    with imported(visible.folder, WHAT_IF) as module:
        noted = _Noted(namespace)
        before = _run(engine, module, exercise, noted, seed)
        source = _cell_of([namespace[name] for name in noted.asked if name in namespace])
        try:
            found = [one for one in statements(source) if _can_go(one)]
        except SyntaxError:
            raise CannotCheck(say("what_if_no_source", exercise=exercise)) from None
        one = next((one for one in found if words and str(one.first) == words[0]), None)
        if before.error is not None or one is None:
            return str(before.error) if before.error is not None else _listed(exercise, source, found)
        edit, change = _edit(source, one, SWAP in words)
        changed = dict(namespace)
        _define(edit, changed)
        after = _run(engine, module, exercise, changed, seed, edit)
    other = one.next if SWAP in words else None
    pure = any(each is not None and only_waits(each, about.words.waits) for each in (one, other))
    sentences = Difference(before, after, pure).sentences()
    if after.error is not None or after.threads:  # a picture would show one order of many
        return Outcome(change, sentences)
    return Outcome(change, sentences, timeline(Log(before.events)), timeline(Log(after.events)))


def names_of(source: bytes, constant: str = "") -> list[str]:
    """Return the public functions of a what-if module, its exercises, or the text of this constant if it has it.

    The module is not imported, since only a student's environment has the engine.
    """
    tree = ast.parse(source)
    if not constant:
        return [one.name for one in tree.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    return [
        str(one.value.value)
        for one in tree.body
        if isinstance(one, ast.Assign)
        and isinstance(one.value, ast.Constant)
        and any(isinstance(target, ast.Name) and target.id == constant for target in one.targets)
    ]


def _run(
    engine: LocalEngine,
    module: types.ModuleType,
    exercise: str,
    namespace: dict[str, Any],
    seed: int,
    edit: Edit | None = None,
) -> Facts:
    here = LocalProcess(Probe(engine.inside, namespace, module), engine if engine.outside else None)
    try:
        seen = Student(here).with_time().results_gated.observe(exercise, seed=seed)
        return facts(seen, edit.old) if edit is not None else facts(seen)
    except NotTested as why:
        raise CannotCheck(str(why.message)) from None
    except StudentError as error:
        return Facts(error=error.message)
    except EngineGone as gone:
        raise CannotCheck(say("check_restart", why=str(gone))) from None
    finally:
        engine.inside.begin()  # opens gates that an interrupted run left closed


def _define(edit: Edit, namespace: dict[str, Any]) -> None:
    """Run the changed cell in a copy of the notebook's variables."""
    try:
        exec(compile(edit.source, CHANGED, "exec"), namespace)  # as the notebook ran the original cell
    except Exception as error:
        raise CannotCheck(f"{type(error).__name__}: {error}"[:300]) from None


def _cell_of(values: list[Any]) -> str:
    """Return the code of the cell that defines the first of these names; "" if none does."""
    for value in values:
        for code in _codes(value):
            if "ipykernel_" in code.co_filename or code.co_filename.startswith("<ipython-input"):
                return "".join(linecache.getlines(code.co_filename)).rstrip("\n")
    return ""


def _codes(value: Any) -> Iterator[types.CodeType]:
    parts = vars(value).values() if isinstance(value, type) else [value]
    yield from (part.__code__ for part in map(inspect.unwrap, parts) if isinstance(part, types.FunctionType))


def _can_go(one: Statement) -> bool:
    return one.is_simple and not isinstance(one.node, (ast.Import, ast.ImportFrom, ast.Pass))


def _edit(source: str, one: Statement, swap: bool) -> tuple[Edit, Message]:
    code = text_of(source, one.node)
    if not swap:
        return without(source, one), Message.of("change_without", line=one.first, text=code)
    if one.next is None:
        raise CannotCheck(say("what_if_no_next", line=one.first))
    after = source.split("\n")[one.next.first - 1].strip()
    words = Message.of("change_swapped", line=one.first, text=code, other=one.next.first, next=after)
    return swapped(source, one), words


def _listed(exercise: str, source: str, found: list[Statement]) -> str:
    numbers = {one.first for one in found}
    lines = [f"{number if number in numbers else '':>4}  {line}" for number, line in enumerate(source.split("\n"), 1)]
    return "\n".join([*lines, "", say("what_if_usage", exercise=exercise)])
