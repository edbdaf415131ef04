"""The roots of all errors of this package."""


class SyncpointError(Exception):
    """An expected problem; the text says what happened and, if possible, what to do."""


class CannotGrade(SyncpointError):
    """One submission cannot be graded now; the text says why, in whole sentences, and what to do."""


class TemplateError(SyncpointError, ValueError):
    """A grader's template is malformed, or its placeholders and values differ."""
