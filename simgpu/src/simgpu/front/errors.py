"""What a program gets when its device has failed."""


class DeviceLost(RuntimeError):
    """The device has ended the conversation."""


class LateError(RuntimeError):
    """A command that had been launched before has failed; this is the first wait since."""


class StalePlan(Exception):
    """The table of plans was cleared while this one was about to be launched."""
