"""The roots of all errors of this package."""


class SyncpointError(Exception):
    """Something that was foreseen; the text says what happened, and where it can, what to do."""


class CannotGrade(SyncpointError):
    """One submission cannot be graded now; the text says why, in whole sentences, and what to do."""


class TemplateError(SyncpointError, ValueError):
    """A template of a grader is malformed, or its places and values differ."""
