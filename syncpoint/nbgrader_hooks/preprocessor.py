"""The nbgrader preprocessor that stands where nbgrader's own Execute stood: has each notebook judged once."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ..core.language import SOURCE, speaking
from ..core.settings import Settings
from ..course.folder import Course
from ..course.intake import METADATA
from ..course.settings import SettingTraits, settings_of
from ..judge.answer import Answer
from ..judge.errors import JudgeDied
from ..judge.job import GradingSpec, NotebookJob, Result, from_json, key, to_json
from ..judge.judging_process import JudgingProcess
from ..judge.retry import judge_or_again
from ..judge.store import Store
from ..judge.submission import is_autograded
from ..report.background import Background
from ..report.notebook import apply, refuse
from ..report.readable import LANGUAGE
from ..translations.catalogue import spoken
from ..translations.localize import misconceptions_in
from .failures import NotJudged
from .reader import ReadNotebook
from .recovery import UNJUDGED

NOTES = "syncpoint_notes"  # in the metadata of a written answer
NOT_KEPT = "%s: the result could not be kept, and will be worked out again next time (%s); the points are not affected."


class GradeSubmission(SettingTraits, NbGraderPreprocessor):
    """Runs a submission in the sandbox and replaces each grade cell's outputs with the judge's report and points."""

    @property
    def settings(self) -> Settings:
        """What is set, as plain data."""
        return settings_of(self)

    # --- nbgrader's call ----------------------------------------------------------------------------------------

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Judge one notebook, or take what is known of it.

        Leaves the notebook result in the resources, the key of the result (None for a notebook that cannot be run), and
        whether it cannot be run.

        Returns:
            The notebook with its outputs and reports, and the resources.

        Raises:
            JudgeDied: If its judging process died twice; the notebook stays ungraded.
        """
        course = Course(Path.cwd())  # nbgrader converts with the course folder as working directory
        names = resources["nbgrader"]
        read: ReadNotebook = self.parent.read  # the exporter's, when it read this submission
        spec, job = read.spec, read.job
        nb.metadata.pop(UNJUDGED, None)
        read.put_language_back(nb)
        read.check_copy(nb)
        language = spoken(course, read.language or SOURCE, names["assignment"])
        with speaking(language):
            background = Background.of(self.settings, course.misconceptions_page)
        background = replace(background, misconceptions=misconceptions_in(course, language.name))
        nb.metadata[METADATA] = language.name  # of the page, too
        with speaking(language):
            note_answers(nb, job)
        resources[LANGUAGE] = language
        resources["syncpoint_refused"] = bool(read.refused)
        if read.refused:
            with speaking(language):
                notebook_result = refuse(nb, spec, background, job.notes, read.refused)
            resources["syncpoint"], resources["syncpoint_result"] = notebook_result, None
            return nb, resources
        name = key(spec, job)
        result: Result | None = self.parent.known(name)
        if result is None or not result.fits(nb):
            submission = f"{names['student']}/{names['assignment']}"
            try:
                result = self._judge(spec, job, course, f"{names['assignment']} of {names['student']}")
            except JudgeDied:
                course.postponed.add(submission)
                raise
            course.postponed.remove(submission)
        # What is not kept has no name in the gradebook either: the next grading takes this notebook up again.
        with speaking(language):
            resources["syncpoint"] = apply(result, nb, spec, background)
        resources["syncpoint_result"] = name if result.cacheable else None
        return nb, resources

    def _judge(self, spec: GradingSpec, job: NotebookJob, course: Course, whose: str) -> Result:
        """Have a notebook judged on this machine and keep the result for the next time.

        Returns:
            The result.

        Raises:
            NotJudged: If nothing can be said of the notebook.
            JudgeDied: If the judging process ended without an answer.
        """
        process: JudgingProcess = self.parent.judging  # the exporter's: one for the whole run
        data, warning = judge_or_again(process, to_json(spec), to_json(job), spec.limits.judge_mib)
        answer = from_json(Answer, data)
        if answer.result is None:
            raise NotJudged(answer.fault)
        for said in (*filter(None, [warning]), *answer.result.warnings):
            self.log.error("%s: %s", whose, said)
        try:
            Store(course.results).put(key(spec, job), answer.result)
        except OSError as problem:
            self.log.error(NOT_KEPT, whose, problem)
        return answer.result


def note_answers(nb: NotebookNode, job: NotebookJob) -> None:
    """Leave with each written answer what the intake says of it: it has no report of the judge's."""
    for cell in nb.cells:
        cell.metadata.pop(NOTES, None)
        identity = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        said = [str(note) for note in job.notes if identity and note.exercise == identity]
        if said and not is_autograded(cell):
            cell.metadata[NOTES] = said
