"""A student's environment: an engine's packages, the released wheel, and a kernel of Jupyter's in it."""

import json
import subprocess
from pathlib import Path

from classroom import ROOT


def install(engine: str, wheel: Path | None, folder: Path) -> Path:
    """An environment with the packages of an engine's, and the wheel; returns its Python."""
    own = ROOT / f".venv-{engine}"
    subprocess.run([own / "bin" / "python", "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    (packages,) = own.glob("lib/python3*/site-packages")
    # `addsitedir` and not a bare path: what is installed for editing is found, too.
    (site / "engine.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
    if wheel is not None:
        command = [ROOT / ".venv/bin/python", "-m", "pip", "--python", folder / "bin/python", "install", "-q"]
        subprocess.run([*command, "--no-index", "--no-deps", wheel], check=True)
    return folder / "bin" / "python"


def add_kernel(python: Path, folder: Path, name: str) -> None:
    """Have a folder of kernels hold the one of an environment, under a name."""
    spec = folder / name
    spec.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": name, "language": "python"}))
