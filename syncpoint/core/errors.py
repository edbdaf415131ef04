"""The root of all errors of this package."""


class SyncpointError(Exception):
    """Something that was foreseen; the text says what happened, and where it can, what to do."""
