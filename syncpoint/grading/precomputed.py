"""The judge's place in nbgrader's pipeline, where the results are given: they came from workers."""

from collections.abc import Iterable
from typing import Any

from traitlets.utils.importstring import import_item

from ..course.folder import Course, CourseError
from ..judge.job import GradingSpec, NotebookJob, Result, key
from ..judge.store import Store
from ..nbgrader_hooks.preprocessor import GradeSubmission

NO_JUDGE = (
    "c.Autograde.autograde_preprocessors in nbgrader_config.py does not name "
    "syncpoint.nbgrader_hooks.preprocessor.GradeSubmission: nobody would get points."
)


class GradeFromResult(GradeSubmission):
    """Puts results of this run into notebooks.  Judges by itself only what was changed since it was sent out."""

    _afresh = True  # a result of this run goes before one in the store

    def _judge(self, spec: GradingSpec, job: NotebookJob, course: Course, whose: str) -> Result:
        name = key(spec, job)
        known = self.parent.parent.results.get(name) or Store(course.results).get(name)
        return known or super()._judge(spec, job, course, whose)


def with_results(preprocessors: Iterable[Any]) -> list[Any]:
    """The preprocessors, classes or their names, with the judge changed for one that takes given results.

    Raises CourseError if the judge is not among them.
    """
    kinds = [import_item(kind) if isinstance(kind, str) else kind for kind in preprocessors]
    if GradeSubmission not in kinds:
        raise CourseError(NO_JUDGE)
    return [GradeFromResult if kind is GradeSubmission else kind for kind in kinds]
