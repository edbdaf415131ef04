"""The Python that the engine's environment was made from, and its place inside a sandbox."""

import functools
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSIDE = "/python"


@dataclass(frozen=True)
class BasePython:
    """A Python outside any environment."""

    prefix: Path  # its folder, without links
    name: str  # the name of its program, in bin
    shared: bool  # whether the program needs its own shared library

    @property
    def moved(self) -> bool:
        """Whether its path differs inside and outside: true for all except the system's, in /usr."""
        return not self.prefix.is_relative_to("/usr")

    @property
    def program(self) -> str:
        """The path of its program inside."""
        return f"{INSIDE if self.moved else self.prefix}/bin/{self.name}"

    @property
    def mounts(self) -> list[str]:
        """The options that make bubblewrap mount it there."""
        return ["--ro-bind", str(self.prefix), INSIDE] if self.moved else []

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables it needs: a program may know its library only by its build path."""
        return {"LD_LIBRARY_PATH": f"{INSIDE}/lib"} if self.moved and self.shared else {}

    @property
    def configuration(self) -> bytes:
        """The pyvenv.cfg of an environment inside."""
        return f"home = {Path(self.program).parent}\ninclude-system-site-packages = false\n".encode()


@functools.cache
def base_python_of(python: Path) -> BasePython:
    """Return the base Python of an environment's Python."""
    code = "import sys, sysconfig; print(sysconfig.get_config_var('Py_ENABLE_SHARED') or 0, sys._base_executable)"
    answer = subprocess.run([str(python), "-I", "-c", code], capture_output=True, text=True, check=True)
    shared, executable = answer.stdout.rstrip("\n").split(" ", 1)
    # A chain of links: .venv/bin/python -> .../cpython-3.11/bin/python3.11 -> .../cpython-3.11.7/bin/python3.11
    program = Path(executable).resolve()
    return BasePython(program.parent.parent, program.name, shared != "0")
