"""What MXNet 1.9.1 uses and newer libraries have taken away: it is put back when MXNet is imported, and not before.

Gone are the names of Python's own types in NumPy (since 1.24: `Expired deprecations
<https://numpy.org/doc/stable/release/1.24.0-notes.html#expired-deprecations>`_), and ``distutils`` in Python (since
3.12: :pep:`632`), of which MXNet compares versions.  The file mxnet_compat.pth imports this when Python starts.
"""

import importlib.util
import sys
import types

TYPES = {"bool": bool, "complex": complex, "float": float, "int": int, "object": object, "str": str}


class Version:
    """A version of numbers with dots between them; all that MXNet asks is which of two is newer."""

    def __init__(self, text: str) -> None:
        self.parts = [int(part) if part.isdigit() else -1 for part in text.split(".")]

    def __lt__(self, other: "Version | str") -> bool:
        return self.parts < _version(other).parts

    def __le__(self, other: "Version | str") -> bool:
        return self.parts <= _version(other).parts

    def __gt__(self, other: "Version | str") -> bool:
        return self.parts > _version(other).parts

    def __ge__(self, other: "Version | str") -> bool:
        return self.parts >= _version(other).parts


def _version(given: "Version | str") -> Version:
    return given if isinstance(given, Version) else Version(given)


def put_back() -> None:
    """Put back what is not there; what is there stays."""
    import numpy

    for name, kind in TYPES.items():
        if name not in vars(numpy):
            setattr(numpy, name, kind)
    if importlib.util.find_spec("distutils") is None:
        package, module = types.ModuleType("distutils"), types.ModuleType("distutils.version")
        vars(module).update(LooseVersion=Version, StrictVersion=Version)
        vars(package).update(__path__=[], version=module)
        sys.modules.update({"distutils": package, "distutils.version": module})


class BeforeMXNet:
    """Finds no module, but is asked first."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> None:
        """Put everything back before MXNet's own code runs."""
        if fullname == "mxnet":
            put_back()


sys.meta_path.insert(0, BeforeMXNet)  # type: ignore[arg-type]  # an abstract base class takes longer than all of this
