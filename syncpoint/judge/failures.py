"""Why a submission could not be judged on this machine, in a sentence or two."""

import errno

from ..core.errors import CannotGrade
from .errors import DeadKernelError

FILES = {
    errno.ENOSPC: "there is no room left on the disk",
    errno.EDQUOT: "this user's share of the disk is used up",
    errno.EFBIG: "the system does not let a file become so large",
    errno.EACCES: "this user may not read or write there",
    errno.EPERM: "this user may not read or write there",
    errno.EROFS: "the file system is read only",
    errno.EIO: "the disk fails",
    errno.EISDIR: "a folder stands where a file should be",
    errno.ENOTDIR: "a file stands where a folder should be",
    errno.EMFILE: "too many files are open",
    errno.ENAMETOOLONG: "a name is too long",
}


def reason(problem: BaseException) -> str:
    """Return what happened and what to do; empty if it is not a problem of the machine."""
    if isinstance(problem, DeadKernelError):
        return f"{problem}, before any line of the student's could run."
    if isinstance(problem, CannotGrade):
        return str(problem)
    if isinstance(problem, UnicodeEncodeError):
        return f"a name in {problem.object!r} holds bytes that are no text. Rename it."
    if isinstance(problem, OSError) and problem.errno in FILES:
        return f"{FILES[problem.errno]} ({problem.filename or problem})."
    return ""
