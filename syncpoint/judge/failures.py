"""Why a submission could not be judged on this machine, in a sentence or two."""

import errno

from ..core.errors import CannotGrade
from .errors import DeadKernelError

FILES = {
    errno.ENOSPC: "there is no room left on the disk",
    errno.EDQUOT: "this user's share of the disk is used up",
    errno.EFBIG: "the file is larger than the system allows",
    errno.EACCES: "this user may not read or write there",
    errno.EPERM: "this user may not read or write there",
    errno.EROFS: "the file system is read only",
    errno.EIO: "the disk has an error",
    errno.EISDIR: "there is a folder where a file should be",
    errno.ENOTDIR: "there is a file where a folder should be",
    errno.EMFILE: "too many files are open",
    errno.ENAMETOOLONG: "a name is too long",
}


def reason(problem: BaseException) -> str:
    """Return what happened and what to do; empty if it is not a problem of the machine."""
    if isinstance(problem, DeadKernelError):
        return f"{problem}, before any of the student's code ran."
    if isinstance(problem, CannotGrade):
        return str(problem)
    if isinstance(problem, UnicodeEncodeError):
        return f"a name in {problem.object!r} contains bytes that are not valid text. Rename it."
    if isinstance(problem, OSError) and problem.errno in FILES:
        return f"{FILES[problem.errno]} ({problem.filename or problem})."
    return ""
