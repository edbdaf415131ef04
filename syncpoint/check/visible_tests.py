"""Runs an exercise's visible tests: plain functions ``test_...(student, rng)`` of a module next to the notebook."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import numpy as np

from ..core.language import Language
from ..core.messages import Message, listed, say
from ..core.timeline_data import Timeline
from ..engines.base import EngineGone
from ..observe.errors import StudentError
from ..observe.observation import ForStudent
from ..observe.timeline_from_log import timeline
from ..probe.handlers import Probe
from .engine import EngineInfo, local_engine
from .errors import CannotCheck
from .languages import LANGUAGES_FOLDER
from .marks import marks_of
from .student import LocalProcess, Student

VISIBLE_FOLDER, ABOUT = "visible", "check.json"  # next to the notebooks; the file has the data that the tests need
TEST = "test_"
LANGUAGE = "SYNCPOINT_LANGUAGE"  # an environment variable: the roster's language of a student, set by the hub


@dataclass(frozen=True)
class Finding:
    """One visible test in a report."""

    passed: bool  # whether the notebook has the property
    title: str  # the property
    message: Message | None  # the observation, if the notebook does not have it
    hint: str  # the test's hint
    timeline: Timeline | None  # the timeline that explains the result, or None
    core: bool  # whether it is what the exercise is about
    weight: float = 1.0  # its share of a score; unused, because checks give no points
    value: bool = False


@dataclass(frozen=True)
class Visible:
    """The visible tests of an assignment."""

    folder: Path

    @property
    def exercises(self) -> list[str]:
        """The names of the exercises with visible tests."""
        return sorted(path.stem[len(TEST) :] for path in self.folder.glob(f"{TEST}*.py"))

    @property
    def about(self) -> EngineInfo:
        """The engine of the visible tests. Raises CannotCheck if there are none, or if they cannot be used here."""
        try:
            about = json.loads((self.folder / ABOUT).read_text(encoding="utf-8"))
            if "engine" not in about:  # the file has only the language
                raise CannotCheck(say("check_none"))
            return EngineInfo.of(about["engine"])
        except (OSError, ValueError, TypeError):
            raise CannotCheck(say("check_no_folder", folder=VISIBLE_FOLDER)) from None

    @property
    def language(self) -> Language:
        """The student's language, if a hub knows it and the release has it; else the release's."""
        theirs = os.environ.get(LANGUAGE, "")
        places = [self.folder.parent / LANGUAGES_FOLDER / theirs / VISIBLE_FOLDER] if theirs.isidentifier() else []
        for place in (*places, self.folder):
            try:
                about = json.loads((place / ABOUT).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            try:
                return Language.from_data(about["language"])
            except (LookupError, TypeError):
                return Language()
        return Language()

    def check(self, exercise: str, namespace: dict[str, Any]) -> list[Finding]:
        """Run an exercise's tests in module order; every gate is open after each. Raises CannotCheck."""
        about = self.about
        if exercise not in self.exercises:
            raise CannotCheck(say("check_no_exercise", exercise=exercise, exercises=listed(self.exercises)))
        engine = local_engine(about)
        with imported(self.folder, f"{TEST}{exercise}") as module:
            tests = [test for name, test in vars(module).items() if name.startswith(TEST) and inspect.isfunction(test)]
            here = LocalProcess(Probe(engine.inside, namespace, module), engine if engine.outside else None)
            try:
                student = Student(here, interface=getattr(module, "INTERFACE", ""))
                return [_find(test, student) for test in tests]
            finally:
                engine.inside.begin()  # opens gates that an interrupted test left closed


@contextlib.contextmanager
def imported(folder: Path, name: str) -> Iterator[ModuleType]:
    """Yield the current test module with its helpers; it leaves nothing in memory or on the disk."""
    helpers = {path.stem for path in folder.glob("*.py")}
    others = {helper: sys.modules.pop(helper) for helper in helpers if helper in sys.modules}
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes
        for helper in helpers:
            sys.modules.pop(helper, None)
        sys.modules.update(others)


def _find(test: Callable[..., Any], student: Student) -> Finding:
    marks = marks_of(test)
    given = {"student": student.with_time(), "rng": np.random.default_rng()}
    message: Message | None = None
    drawn = None
    try:
        test(**{name: given[name] for name in inspect.signature(test).parameters})
        return Finding(True, marks.title, None, marks.hint, None, marks.core)
    except StudentError as error:
        message = error.message
    except AssertionError as error:
        note = next((note for note in getattr(error, "__notes__", ()) if isinstance(note, ForStudent)), None)
        message, drawn = (note.message, timeline(note.log)) if note is not None else (None, None)
    except EngineGone as gone:
        raise CannotCheck(say("check_restart", why=str(gone))) from None
    except Exception as error:
        message = Message.of("check_broke", error=f"{type(error).__name__}: {error}"[:300])
    return Finding(False, marks.title, message, marks.hint, drawn, marks.core)
