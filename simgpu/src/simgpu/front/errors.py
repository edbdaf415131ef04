"""The errors of a program whose device has failed."""


class DeviceLost(RuntimeError):
    """The device has ended the session."""


class LateError(RuntimeError):
    """A command launched earlier has failed; this is the first wait since then."""


class StalePlan(Exception):
    """The table of plans was cleared while this plan was being launched."""
