"""One notebook of one submission: runs its cells in order in one sandboxed kernel, within the limits."""

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode

from ..core.messages import Message
from ..core.results import Incident, SuspiciousAct
from ..engines.terms import use_terms
from ..sandbox.spec import SandboxSpec
from .act_collector import ActCollector
from .cell_exception import incident_of
from .cells import cell_name, is_autograded, is_visible_check
from .errors import DeadKernelError
from .incident_log import IncidentLog
from .kernel import Kernel, Reply
from .outputs import execution_count
from .student import Deadline, Student

MAX_RESTARTS = 3
"""New kernels between the tests of two consecutive exercises, if code makes its device end the session; the start of
each counts as the judge's time."""


@dataclass
class Restarts:
    """The new kernels of a notebook whose device ends the session."""

    count: int = 0  # since the last hidden tests
    without_device: bool = False  # whether the device has ended the session; the next exercise gets a new device
    left_out: set[int] = field(default_factory=set)  # the cells that do not run again, because they made it end

    def begin_exercise(self) -> None:
        self.count, self.without_device = 0, False

    def again_without(self, place: int) -> bool:
        """Leave out a cell from now on; return whether another kernel may start."""
        self.left_out.add(place)
        self.without_device = self.count == MAX_RESTARTS
        self.count += not self.without_device
        return not self.without_device


@dataclass
class NotebookRun:
    """A running notebook. Use it as a context manager, then call :meth:`advance_to`."""

    notebook: NotebookNode  # gets the outputs
    sandbox_spec: SandboxSpec
    log: IncidentLog = field(default_factory=IncidentLog)
    act_collector: ActCollector = field(default_factory=ActCollector)
    kernels: list[Kernel] = field(default_factory=list)  # the kernels in which its cells have run, in order
    restarts: Restarts = field(default_factory=Restarts)
    _position: int = 0  # the first cell that has not run
    _last: int = 0  # the last cell that ran, or whose hidden tests ran

    @property
    def incidents(self) -> list[Incident]:
        return self.log.incidents

    @property
    def acts(self) -> list[SuspiciousAct]:
        """Suspicious acts so far; processes left running are added at the end."""
        return self.act_collector.acts

    def __enter__(self) -> "NotebookRun":
        self._stack = ExitStack()
        self._start()
        # The time limit starts here: on a busy machine the start takes long, which is not the student's fault.
        self.deadline = Deadline(self.sandbox_spec.limits.notebook_seconds, self.kernel.meter)
        return self

    def __exit__(self, *exception: Any) -> None:
        with self._stack:
            self.kernel.check_leftovers()

    def _start(self, cpu_seconds: float = 0.0) -> None:
        """Start a kernel, with its device if there is one, after kernels that used this much processor time."""
        kernel = Kernel(self.sandbox_spec, self.act_collector, cpu_seconds=cpu_seconds)
        self.kernels.append(self._stack.enter_context(kernel))

    @property
    def kernel(self) -> Kernel:
        return self.kernels[-1]

    @property
    def lost(self) -> str:
        """Return why this run may not be the student's fault, see :attr:`Kernel.lost`."""
        return next((kernel.lost for kernel in self.kernels if kernel.lost), "")

    def _restart_if_cut_off(self, place: int) -> bool:
        """If the device ignores the notebook, run the cells before it again, on a new device and kernel."""
        noted = self.restarts.without_device
        if is_autograded(self.notebook.cells[place]):
            self.restarts.begin_exercise()
        why = self.kernel.cut_off
        if not why or self.restarts.without_device:
            return False
        again = self.restarts.again_without(place)
        if not noted:
            code = "device_cut_off" if again else "device_cut_off_last"
            who = cell_name(place, self.notebook.cells[place])
            self.incidents.append(Incident("cut off", Message.of(code, who=who, why=why), place))
        if again:
            self._replace_the_kernel()
        return again

    def _replace_the_kernel(self) -> None:
        """Run the cells so far in a new kernel with the remaining limits; their output was already counted."""
        share, cpu_seconds, output_left = self.deadline.share, self.kernel.usage().cpu_seconds, self.kernel.output_left
        with self.deadline.stopped():
            self._stack.close()
            self._start(cpu_seconds)
        self.deadline.go_on_with(self.kernel.meter, share)
        self.act_collector.threads = 0  # these were threads of the old kernel
        for index in range(self._position):
            if (
                index in self.restarts.left_out
                or is_autograded(self.notebook.cells[index])
                or self.deadline.remaining <= 0
            ):
                continue
            _, incident = self._execute(index)
            if incident is not None and not self.log.knows(incident.message):
                self._note(index, replace(incident, message=Message.of("ran_again", message=incident.message)))
            if self._restart_if_cut_off(index):
                break
        self.kernel.output_left = output_left

    def run_cell(self, index: int) -> None:
        """Run one cell and keep its outputs in the notebook.  Never raises for what student code does."""
        cell = self.notebook.cells[index]
        if cell.cell_type != "code":
            return
        self._last = index
        reply, incident = self._execute(index)
        cell.outputs, cell.execution_count = reply.outputs, execution_count(reply.content.get("execution_count"))
        if incident is not None:
            self._note(index, incident)

    def _note(self, index: int, incident: Incident) -> None:
        self.log.add(index, incident, of_check=is_visible_check(self.notebook, index))

    def _execute(self, index: int) -> tuple[Reply, Incident | None]:
        """Run one cell; return the outcome, and the fault or exception."""
        cell, limits = self.notebook.cells[index], self.sandbox_spec.limits
        name = cell_name(index, cell)
        if cell.cell_type != "code" or not cell.source.strip() or self.kernel.fault is not None:
            return Reply(), None
        if self.deadline.remaining <= 0:
            message = Message.of("not_run", who=name, seconds=self.deadline.seconds)
            return Reply(), Incident("not run", self.deadline.ran_out(message), index)
        deadline = self.deadline.within(limits.cell_seconds)
        self.act_collector.moment = Message.of("after_cell", cell=name)
        try:
            reply = self.kernel.execute(
                cell.source, deadline.seconds, keep_names=is_visible_check(self.notebook, index)
            )
        except DeadKernelError as gone:
            message = Message.of("kernel_gone", who=name, why=gone.fault.message)
            message = deadline.ran_out(message) if gone.fault.kind == "hang" else message
            return Reply(), Incident(gone.fault.kind, message, index)
        if reply.fault is not None:
            message = reply.fault.message.having(who=name)
            if reply.fault.kind == "timeout":
                if deadline.seconds < limits.cell_seconds:
                    message = Message.of("last_time", who=name, seconds=self.deadline.seconds)
                message = deadline.ran_out(message)
            return reply, Incident(reply.fault.kind, message, index)
        raised = reply.content.get("status") == "error"
        return reply, incident_of(name, cell.source, reply.content, limits) if raised else None

    def notes(self, exercise: str) -> list[Message]:
        """Return what stopped or disturbed the notebook so far, for the next exercise."""
        tested = (index for index in range(self._position) if is_autograded(self.notebook.cells[index]))
        return self.log.notes(exercise, max(tested, default=0))

    def advance_to(self, index: int) -> None:
        """Run every cell before ``index`` that has not run yet, except autograded ones."""
        while self._position < index:
            cell = self.notebook.cells[self._position]
            if cell.cell_type == "code" and not is_autograded(cell):
                self._restart_if_cut_off(self._last)
                self.run_cell(self._position)
            self._position += 1

    def student(self) -> Student:
        """Return the student for the tests of one exercise, with that exercise's share of the time."""
        cell_seconds = self.sandbox_spec.limits.cell_seconds
        self.kernel.begin_exercise(min(cell_seconds, self.deadline.remaining))
        while self._restart_if_cut_off(self._last):
            self.kernel.begin_exercise(min(cell_seconds, self.deadline.remaining))
        self._last = self._position
        cell = cell_name(self._position, self.notebook.cells[self._position])
        self.act_collector.moment = Message.of("in_tests", cell=cell)
        use_terms(self.sandbox_spec.engine.words)
        return Student(self.kernel, self.deadline.within(cell_seconds))
