"""What stopped or disturbed a notebook, and which part of it the report of each exercise repeats."""

from dataclasses import dataclass, field

from ..core.messages import Message
from ..core.results import Incident, Note


@dataclass
class IncidentLog:
    """The incidents of one notebook."""

    # Everything that stopped a cell.  Later cells still run, unless the kernel has ended.
    incidents: list[Incident] = field(default_factory=list)
    intake: list[Note] = field(default_factory=list)  # the notes of the intake about this notebook
    _failed_checks: list[tuple[int, Incident]] = field(default_factory=list)  # each with the place of the check's cell

    def add(self, index: int, incident: Incident, of_check: bool) -> None:
        """Note what stopped the cell at ``index``, which may be a visible check."""
        self.incidents.append(incident)
        if incident.cell is None and of_check:
            self._failed_checks.append((index, incident))

    def knows(self, message: Message) -> bool:
        return any(incident.message == message for incident in self.incidents)

    def notes(self, exercise: str, last_tested: int) -> list[Message]:
        """Return what stopped or disturbed the notebook so far, for the next exercise.

        A check that failed before the hidden tests at ``last_tested``, and a note on the cells of another exercise,
        appear only in the report of their own exercise.
        """
        reported = [incident for index, incident in self._failed_checks if index < last_tested]
        others = [note.message for note in self.intake if note.exercise not in ("", exercise)]
        return [
            incident.message
            for incident in self.incidents
            if incident.message not in others and not any(incident is other for other in reported)
        ]
