"""The course's configuration: nbgrader's own settings, and Syncpoint's judge put into its pipeline."""

import os

from syncpoint.nbgrader_hooks.course_config import set_up_nbgrader

c = get_config()

c.CourseDirectory.course_id = "syncpoint"
c.CourseDirectory.root = os.path.dirname(os.path.abspath(__file__))

# The time zone of the course: times without a zone are read in it, and all times are shown in it and in UTC.  Without
# this line a time needs a zone or an offset: 2026-03-01 12:00 Europe/Berlin, 2026-03-01T12:00+01:00.
# c.Exchange.timezone = c.NbGraderAPI.timezone = "Europe/Berlin"
set_up_nbgrader(__file__)

# Progress and errors only; --log-level=INFO on the command line shows every step of nbgrader.
c.Application.log_level = "ERROR"
# These commands report their work only in the log.
c.ZipCollectApp.log_level = c.ReleaseAssignmentApp.log_level = c.DbBaseApp.log_level = "INFO"
# If nbgrader finds no notebook, say what to do.
c.Application.logging_config = {
    "filters": {"nothing_matched": {"()": "syncpoint.nbgrader_hooks.nothing_matched.NothingMatched"}},
    "handlers": {"console": {"filters": ["nothing_matched"]}},
}

# The release: nbgrader's own steps, after a check that every grade cell has its grader.
c.GenerateAssignment.exporter_class = "syncpoint.nbgrader_hooks.release_exporter.ReleaseExporter"
c.GenerateAssignment.preprocessors = [
    "syncpoint.nbgrader_hooks.check_graders.CheckGraders",
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Grading: `nbgrader autograde` and formgrader's button do what `syncpoint grade` does.  GradeSubmission replaces
# nbgrader's Execute: the steps before and after it run before and after a notebook is judged.
c.Autograde.exporter_class = "syncpoint.nbgrader_hooks.exporter.SubmissionExporter"
c.Autograde.autograde_preprocessors = [
    "syncpoint.nbgrader_hooks.preprocessor.GradeSubmission",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    # Students' texts may contain code that a browser would run, or that would block it; they are shown within limits.
    "syncpoint.report.readable.KeepReadable",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Feedback: nbgrader's own pages, and a line on who got one.
c.GenerateFeedback.exporter_class = "syncpoint.nbgrader_hooks.feedback_exporter.FeedbackExporter"
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "syncpoint.nbgrader_hooks.feedback_level.LimitFeedback",
    "syncpoint.nbgrader_hooks.feedback_questions.ShowAnswers",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
# The exchange: a release that lacks a file, as in a fresh clone, is not released.
c.ExchangeFactory.release_assignment = "syncpoint.nbgrader_hooks.exchange_release.ReleaseAssignment"
# Pages of work from another source, without a time stamp or secret, do not stop other pages.
c.ExchangeFactory.release_feedback = "syncpoint.nbgrader_hooks.feedback_release.ReleaseFeedback"
# A folder with another student's name, or with links, reveals nothing.
c.ExchangeFactory.collect = "syncpoint.nbgrader_hooks.exchange_collect.Collect"
# `nbgrader list` reports what it finds.
c.ExchangeFactory.list = "syncpoint.nbgrader_hooks.exchange_list.List"

# Exports: nbgrader's own file of scores, written completely or not at all, and one line about the result.
c.ExportApp.plugin_class = "syncpoint.exports.GradesCsvExport"

# Late work: a tenth of a notebook's points for each day begun; without this line, lateness costs nothing.
# c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late_rule.SharePerPeriod"
# c.SharePerPeriod.share = 0.1
# c.SharePerPeriod.hours = 24

# Work that `syncpoint watch` grades when it is submitted.  These are the defaults; an assignment may have its own in
# grader_tests/<assignment>/assignment.toml, below [on_submission].
# c.OnSubmission.attempts = 0  # attempts in a row; 0: any number
# c.OnSubmission.refill_minutes = 60  # until there is another one
# c.OnSubmission.quota = 0  # attempts in all before the work is due; 0: any number
# c.OnSubmission.before_due = "all"  # what the feedback shows until then: "nothing", "properties", "no hints" or "all"
# c.OnSubmission.when_due = "all"  # what is still graded then: "all" that arrived before, "queued" or "begun"
# c.OnSubmission.spent = ""  # the course's own words for "You have no attempts left at the moment."

# Which of a student's submissions counts, and how the assignments become one total (docs/how-to/tries-and-totals.md).
# c.Tries.counts = "newest"  # or "best", or "chosen"
# c.CourseTotal.weights = {"async": 1, "torch_async": 1, "multi_gpu": 2}
# c.CourseTotal.once = [["async", "torch_async"]]  # the better one counts
# c.CourseTotal.drop_lowest = 1

# Marks that `syncpoint send-marks` sends to Canvas or Moodle with a token, and lower marks on any platform: see
# docs/how-to/lti.md.  What LTI needs is in the hub's hub.toml.
# c.SendMarks.columns = {"async": "https://canvas.school.example/courses/123/assignments/4711"}
# c.SendMarks.token_file = "~/.lms-token"
# c.SendMarks.identity = "id"  # the id that roster and platform share: "id", "school id" or "login"
# c.SendMarks.lower = "send"  # "hold": a mark lower than the platform's is listed, not sent

# A badge on PyTorch notebooks that opens them in Google Colab, from a public repository on GitHub with release/.
# c.Colab.repository = "owner/name"

# The gradebook.  `syncpoint move-gradebook URL` copies it to PostgreSQL and changes this line (docs/how-to/install.md).
c.CourseDirectory.db_url = "sqlite:///" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "gradebook.db")

# The limits of one submission: docs/reference/configuration.md has each with its default.  An assignment may have its
# own, and an engine of its own, in grader_tests/<assignment>/assignment.toml.
# c.GradeSubmission.cell_seconds = 60
