"""Why the gradebook cannot be used, or a mark cannot be changed."""

from ..core.errors import SyncpointError


class GradebookError(SyncpointError):
    """The gradebook cannot be used; the text says why and what to do."""

    def __init__(self, message: str, fix: str):
        super().__init__(f"{message}: {fix}.")
        self.message, self.fix = message, fix


class NoGradebook(GradebookError):
    """The course has no gradebook yet; the text says how to create one."""


class RegradeError(SyncpointError):
    """A question or an answer that cannot be accepted; the text says why."""
