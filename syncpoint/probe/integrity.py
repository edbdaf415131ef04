"""The integrity monitor: finds suspicious acts of a notebook for a person to look at.  It decides nothing.

Python reports some acts while they happen (:mod:`.acts`); others leave traces, which are found by comparing after each
request.  It runs next to student code: disabling it only hides its reports.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any, Optional

from . import handlers, inside_engine, serialization, trace
from .audit_hook import Notebook, listen

# Private references: student code may replace the attributes later.
_getframe, _current_frames, _get_ident = sys._getframe, sys._current_frames, threading.get_ident
_gc_enabled, _gc_enable, _gc_disable = gc.isenabled, gc.enable, gc.disable
_gettrace, _getprofile, _getsignal = sys.gettrace, sys.getprofile, signal.getsignal
_THREADING, _SYS, _ENVIRONMENT = vars(threading), vars(sys), os.environ

MAX_ACTS = 20  # of one kind
# Python's own; the engine names its own.
MODULES = ("builtins", "sys", "time", "threading", "json", "numpy")
CLASSES = {"threading": ("Thread", "Event", "Timer")}
SHELL_PARTS = ("displayhook", "display_pub", "display_formatter", "display_trap", "input_transformer_manager", "events")
PLAIN_TYPES = (bool, int, str, list, tuple, dict)  # not float: %precision gives it another formatter
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Bindings:
    """The names of a namespace, and their objects before the first cell."""

    kind: str  # the act that is reported if a name was bound to something else
    owner: str  # the namespace's name in the report
    namespace: Mapping[Any, Any]  # as it is now
    names: tuple[tuple[Any, Any], ...]  # each name with its object; None: not bound

    def changed(self) -> Iterator[Any]:
        """The names whose objects have changed."""
        find = self.namespace.get
        for name, before in self.names:
            if find(name) is not before:
                yield name


def bindings_of(kind: str, owner: str, namespace: Mapping[Any, Any]) -> Bindings:
    """Return the functions, classes and modules of a namespace; variables may change."""
    names = tuple((k, v) for k, v in namespace.items() if callable(v) or isinstance(v, ModuleType))
    return Bindings(kind, owner, namespace, names)


def bindings_of_object(kind: str, owner: str, thing: Any) -> Bindings:
    """Return the methods of one object: a function of that name in the object itself would replace them."""
    own = vars(thing)
    methods = (name for name in dir(type(thing)) if callable(getattr(type(thing), name, None)))
    return Bindings(kind, owner, own, tuple((name, own.get(name)) for name in methods))


class IntegrityMonitor:
    """Watches one notebook from before its first cell."""

    def __init__(self, kernel: Any, private: str):
        self._kernel, self._shell = kernel, kernel.shell
        self._private = private
        self._notebook: Optional[Notebook] = None
        self._seen: set[tuple[str, str]] = set()
        self._fresh: list[tuple[str, str]] = []
        self._left: dict[str, int] = {}

    def begin(self) -> None:
        """Record the initial state for all comparisons. Only the first call, before any cell, has an effect."""
        if self._notebook is not None:
            return
        guarded = self._kernel.engine.guarded()
        self._bindings = [*self._engine_bindings(guarded), *self._kernel_bindings(), *self._probe_bindings()]
        self._parts = [(name, getattr(self._shell, name)) for name in SHELL_PARTS]
        self._transformers = self._current_transformers()
        self._variables = [
            (name, value)
            for name, value in _ENVIRONMENT.items()
            if name.startswith(guarded.variables) and name not in guarded.free
        ]
        self._handlers = [(number, _getsignal(number)) for number in SIGNALS]
        self._notebook = Notebook(self._shell.user_ns, os.getcwd())
        listen(self._notebook, self._private, guarded, self.note)

    def note(self, kind: str, name: str) -> None:
        """Store an act when it is first seen."""
        act = kind, name[:200]
        left = self._left.get(kind, MAX_ACTS)
        if left and act not in self._seen:
            self._left[kind] = left - 1
            self._seen.add(act)
            self._fresh.append(act)

    def note_reader(self, frame: FrameType, name: str) -> None:
        """Note that an object of the kernel is read, if the notebook reads it."""
        if self._notebook is not None and self._notebook.is_behind(frame):
            self.note("kernel", name)

    def note_display_hook(self) -> None:
        """Note a display hook that is not IPython's. Only while a cell runs, because IPython restores its own."""
        if _SYS["displayhook"] is not self._shell.displayhook:
            self.note("display", "sys.displayhook")

    def report(self) -> dict[str, Any]:
        """Return new acts since the last report, and the number of threads that run notebook code.  Never raises."""
        threads = 0
        try:
            self._compare()
            threads = self._threads()
        except KeyboardInterrupt:
            pass  # the interrupt was meant for the cell, which has just ended
        except BaseException:
            self.note("blinded", "")
        acts, self._fresh = self._fresh, []
        return {"acts": acts, "threads": threads}

    def _engine_bindings(self, guarded: inside_engine.Guarded) -> Iterator[Bindings]:
        modules = {name: sys.modules[name] for name in (*MODULES, *guarded.modules) if name in sys.modules}
        classes = {**CLASSES, **guarded.classes}
        yield Bindings("patched", "sys.modules", sys.modules, tuple(modules.items()))
        for name, module in modules.items():
            yield bindings_of("patched", name, vars(module))
            for kind in classes.get(name, ()):
                yield bindings_of("patched", f"{name}.{kind}", vars(vars(module)[kind]))
        for owner, namespace in guarded.namespaces.items():
            yield bindings_of("patched", owner, namespace)

    def _kernel_bindings(self) -> Iterator[Bindings]:
        shell, kernel = self._shell, self._kernel
        yield bindings_of_object("patched", "get_ipython()", shell)
        for name in SHELL_PARTS:
            yield bindings_of_object("display", f"get_ipython().{name}", getattr(shell, name))
        yield bindings_of_object("kernel", "kernel", kernel)
        yield bindings_of_object("kernel", "kernel.session", kernel.session)
        for name in ("shell_handlers", "control_handlers"):
            yield bindings_of("kernel", f"kernel.{name}", getattr(kernel, name))
        printers = shell.display_formatter.formatters["text/plain"].type_printers
        plain = tuple((kind, printers.get(kind)) for kind in PLAIN_TYPES)
        yield Bindings("display", "the formatter of", printers, plain)

    def _probe_bindings(self) -> Iterator[Bindings]:
        """Watch the probe and the scenarios, because ``object.__subclasses__()`` reveals every class."""
        scenarios = self._kernel.scenarios
        parts = (handlers, inside_engine, serialization, trace, *self._kernel.engine_modules)
        namespaces = [vars(module) for module in parts]
        namespaces += [vars(scenarios)] if scenarios else []
        for namespace in namespaces:
            name = namespace["__name__"]
            yield bindings_of("patched", name, namespace)
            for kind in [kind for kind in namespace.values() if isinstance(kind, type) and kind.__module__ == name]:
                yield Bindings("patched", f"{name}.{kind.__name__}", vars(kind), tuple(vars(kind).items()))

    def _compare(self) -> None:
        for bindings in self._bindings:
            for name in bindings.changed():
                self.note(bindings.kind, f"{bindings.owner}.{getattr(name, '__name__', name)}")
        for name, part in self._parts:
            if getattr(self._shell, name) is not part:
                self.note("display", f"get_ipython().{name}")
        for (name, before), (_, now) in zip(self._transformers, self._current_transformers()):
            if now != before:
                self.note("transformer", name)
        for name, value in self._variables:
            if _ENVIRONMENT.get(name) != value:
                self.note("environment", name)
        for number, handler in self._handlers:
            if _getsignal(number) is not handler:
                self.note("signals", number.name)
        hooks = {
            "sys.settrace": _gettrace(),
            "sys.setprofile": _getprofile(),
            "threading.settrace": _THREADING["_trace_hook"],
            "threading.setprofile": _THREADING["_profile_hook"],
        }
        for name, hook in hooks.items():
            if hook is not None:
                self.note("tracing", name)

    def _current_transformers(self) -> list[tuple[str, list[Any]]]:
        shell = self._shell
        manager = shell.input_transformer_manager
        return [
            ("AST transformers", [*shell.ast_transformers]),
            ("input transformers", [*manager.cleanup_transforms, *manager.line_transforms]),
            ("input transformers", [*manager.token_transformers, *shell.input_transformers_post]),
        ]

    def _threads(self) -> int:
        """Return the number of other threads that run notebook code, without idle workers of a pool."""
        assert self._notebook is not None
        own, count = _get_ident(), 0
        for thread, innermost in _frames_of_threads().items():
            frame: Optional[FrameType] = innermost
            while thread != own and frame is not None:
                if self._notebook.wrote(frame):
                    count += 1
                    break
                frame = frame.f_back
        return count


def _frames_of_threads() -> dict[int, FrameType]:
    """Return the innermost frame of each thread.

    In Python 3.11 a garbage collection in the middle of it may hang the process (CPython's gh-106883).
    """
    collects = _gc_enabled()
    _gc_disable()
    try:
        return _current_frames()
    finally:
        if collects:
            _gc_enable()
