"""One notebook of one submission: runs its cells in order in one sandboxed kernel, within the limits."""

from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import Flag, Incident
from ..engines.words import speak_of
from ..sandbox.spec import SandboxSpec
from .flag_collector import FlagCollector
from .kernel import DeadKernelError, Kernel
from .outputs import execution_count
from .student import Deadline, Student


def is_autograded(cell: NotebookNode) -> bool:
    """Whether hidden tests grade this cell."""
    marks = _marks(cell)
    return cell.cell_type == "code" and bool(marks.get("grade")) and not marks.get("solution")


def _marks(cell: NotebookNode) -> dict[str, Any]:
    marks: dict[str, Any] = cell.metadata.get("nbgrader", {})
    return marks


def cell_name(index: int, cell: NotebookNode) -> Message:
    """How messages name a cell: its place, counted from 1, and its id where it has one."""
    identity = _marks(cell).get("grade_id", "")
    if identity:
        return Message.of("named_cell", number=index + 1, name=identity)
    return Message.of("cell", number=index + 1)


def _raised(who: Message, content: dict[str, Any], limits: Limits) -> Incident:
    """That a cell raised an exception: its name, and the limit behind it, which it hit, where it looks like one."""
    name, text = str(content.get("ename"))[:60], str(content.get("evalue"))
    if name == "MemoryError":
        return Incident("memory", Message.of("raised_memory", who=who, error=name, mib=limits.memory_mib))
    if "[Errno 27]" in text or "[Errno 28]" in text:
        return Incident("disk", Message.of("raised_disk", who=who, error=name, mib=limits.disk_mib))
    if "[Errno 11]" in text or text == "can't start new thread":
        said = Message.of("raised_processes", who=who, error=name, processes=limits.processes)
        return Incident("processes", said)
    return Incident("raised", Message.of("raised", who=who, error=name))


@dataclass
class SubmissionRun:
    """A notebook being run.  Use as a context manager, then :meth:`run_cell` for each cell in order.

    Attributes:
        notebook: Gets the outputs.
        sandbox_spec: What it runs in.
        incidents: Everything that stopped a cell.  Later cells still run, unless the kernel is gone.
        flag_collector: Hears of suspicious acts.
    """

    notebook: NotebookNode
    sandbox_spec: SandboxSpec
    incidents: list[Incident] = field(default_factory=list)
    flag_collector: FlagCollector = field(default_factory=FlagCollector)
    _failed_checks: dict[int, Incident] = field(default_factory=dict)  # by the place of the check's cell

    @property
    def flags(self) -> list[Flag]:
        """Suspicious acts that were seen so far; what is left running is seen when the run ends."""
        return self.flag_collector.flags

    def __enter__(self) -> "SubmissionRun":
        """Start the kernel.

        Returns:
            The run.

        Raises:
            DeadKernelError: No student code ran, so it is no fault of the student's.
        """
        self.kernel = Kernel(self.sandbox_spec, self.flag_collector)
        self._position = 0
        self.kernel.__enter__()
        # From here on: on a busy machine the start may take long, and is not the student's.
        self.deadline = Deadline(self.sandbox_spec.limits.notebook_seconds, self.kernel.meter)
        return self

    def __exit__(self, *exception: Any) -> None:
        self.kernel.check_leftovers()
        self.kernel.__exit__(*exception)

    def run_cell(self, index: int) -> None:
        """Run one cell and keep its outputs in the notebook.  Never raises for what student code does."""
        cell = self.notebook.cells[index]
        if cell.cell_type != "code":
            return
        cell.outputs, cell.execution_count = [], None
        name = cell_name(index, cell)
        if not cell.source.strip() or self.kernel.fault is not None:
            return
        if self.deadline.remaining <= 0:
            said = Message.of("not_run", who=name, seconds=self.deadline.seconds)
            self._stopped(index, "not run", self.deadline.ran_out(said))
            return
        deadline = self.deadline.within(self.sandbox_spec.limits.cell_seconds)
        seconds = deadline.seconds
        self.flag_collector.moment = Message.of("after_cell", cell=name)
        try:
            reply = self.kernel.execute(cell.source, seconds, keep_names=self._is_visible_check(index))
        except DeadKernelError as gone:
            said = Message.of("kernel_gone", who=name, why=gone.fault.said)
            self._stopped(index, gone.fault.kind, deadline.ran_out(said) if gone.fault.kind == "hang" else said)
            return
        cell.outputs = reply.outputs
        cell.execution_count = execution_count(reply.content.get("execution_count"))
        if reply.fault is not None:
            said = reply.fault.said.having(who=name)
            if reply.fault.kind == "timeout":
                if seconds < self.sandbox_spec.limits.cell_seconds:
                    said = Message.of("last_time", who=name, seconds=self.deadline.seconds)
                said = deadline.ran_out(said)
            self._stopped(index, reply.fault.kind, said)
        elif reply.content.get("status") == "error":
            incident = _raised(name, reply.content, self.sandbox_spec.limits)
            self.incidents.append(incident)
            if self._is_visible_check(index):
                self._failed_checks[index] = incident

    def notes(self) -> list[Message]:
        """Say what stopped or disturbed the notebook so far, for the exercise that comes now.

        Returns:
            The messages.  A check that failed says something of its own exercise, and stands above no other.
        """
        before = [index for index in range(self._position) if is_autograded(self.notebook.cells[index])]
        told = [incident for index, incident in self._failed_checks.items() if before and index < before[-1]]
        return [incident.said for incident in self.incidents if not any(incident is other for other in told)]

    def advance_to(self, index: int) -> None:
        """Run every cell before ``index`` that has not run yet, except autograded ones."""
        while self._position < index:
            if not is_autograded(self.notebook.cells[self._position]):
                self.run_cell(self._position)
            self._position += 1

    def student(self) -> Student:
        """The student as the tests of one exercise see them, with that exercise's share of the time."""
        cell = cell_name(self._position, self.notebook.cells[self._position])
        self.flag_collector.moment = Message.of("in_tests", cell=cell)
        cell_seconds = self.sandbox_spec.limits.cell_seconds
        self.kernel.begin_exercise(min(cell_seconds, self.deadline.remaining))
        speak_of(self.sandbox_spec.engine.words)
        return Student(self.kernel, self.deadline.within(cell_seconds))

    def _is_visible_check(self, index: int) -> bool:
        """Return whether a cell of the course's stands between a solution and its hidden tests.

        A name that it uses, too, must not take the place of what the solution calls.
        """
        if not _marks(self.notebook.cells[index]).get("locked"):
            return False
        ours = [number for number, cell in enumerate(self.notebook.cells) if _marks(cell).get("solution")]
        tested = [number for number, cell in enumerate(self.notebook.cells) if number > index and is_autograded(cell)]
        before = [number for number in ours if number < index]
        after = [number for number in ours if number > index]
        return bool(before and tested) and (not after or tested[0] < after[0])

    def _stopped(self, index: int, kind: str, said: Message) -> None:
        self.incidents.append(Incident(kind, said, index))
