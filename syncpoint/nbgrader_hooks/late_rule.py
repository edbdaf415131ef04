"""A rule on late work that a course may set: ``c.AssignLatePenalties.plugin_class`` names it."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

HOUR = 3600.0


class SharePerPeriod(LateSubmissionPlugin):
    """Takes a share of the points for each period begun after the due date; nbgrader's rule is all or nothing.

    The due date includes the student's extension.  nbgrader computes the penalty again at each grading, from the times
    of the due date and of the submission, so grading again changes nothing.
    """

    share = Float(0.1, min=0, max=1, help="The share of a notebook's points that each late period costs.").tag(
        config=True
    )
    hours = Float(24, help="The length of a late period, in hours.").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """The points that a notebook with ``score`` loses; never more than it has."""
        begun = math.ceil(total_seconds_late / (self.hours * HOUR))
        return round(score * min(1.0, self.share * begun), 4)
