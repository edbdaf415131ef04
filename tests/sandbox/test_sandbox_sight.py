"""A cell's view of its surroundings reveals nothing about the grading machine: no course, no judge, no home."""

import ast
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from classroom import ENGINE, ROOT

from syncpoint.course.folder import Course
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.kernel import Kernel
from syncpoint.sandbox import spec as spec_module
from syncpoint.sandbox.base import BasePython, base_python_of
from syncpoint.sandbox.spec import Limits, SandboxSpec

BASE = base_python_of(ENGINE / "bin" / "python")
# Each with all that lies below it.  What comes with /usr is at its own place on every machine.
SECRET = {str(path) for path in (ROOT, Path.home(), ENGINE, ENGINE.resolve(), Path(spec_module.__file__).parents[1])}
SECRET |= {str(BASE.prefix)} if BASE.moved else set()


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """A kernel with files beside it and scenarios, as a submission has it."""
    with Kernel(SandboxSpec(ENGINE, files=(("data.txt", b"1"),), scenarios=b"def nothing(): pass\n")) as running:
        yield running


def _value(kernel: Kernel, source: str) -> Any:
    reply = kernel.execute(source, 120)
    assert reply.content.get("status") == "ok", reply.outputs
    return ast.literal_eval(reply.stdout)


def _named(text: str, kernel: Kernel) -> list[str]:
    return [secret for secret in (*SECRET, str(kernel._server._folder.path)) if secret in text]


# Every file that Linux shows of every process, but for its memory and its program, which is a file of the engine's.
PROC = r"""
import os
found = {}
for process in ["self", *filter(str.isdigit, os.listdir("/proc"))]:
    for folder, folders, files in os.walk(f"/proc/{process}"):
        folders[:] = [name for name in folders if name not in ("task", "map_files", "fd", "fdinfo", "ns")]
        for name in files:
            path = f"{folder}/{name}"
            if name in ("mem", "pagemap", "clear_refs", "exe"): continue
            try:
                with open(path, "rb", buffering=0) as file:
                    found[path] = file.read(1 << 20).decode(errors="replace")
            except OSError:
                continue
for folder, _, files in os.walk("/proc/self/task"):
    for name in ("comm", "environ", "cmdline", "maps"):
        if name in files: found[f"{folder}/{name}"] = open(f"{folder}/{name}", errors="replace").read()
print(found)
"""


def test_no_file_of_a_process_names_a_place_of_this_machine(kernel: Kernel):
    found = _value(kernel, PROC)
    for part in ("self/cmdline", "self/environ", "self/maps", "self/mountinfo", "self/cgroup", "1/cmdline", "1/cgroup"):
        assert found[f"/proc/{part}"].strip("\0\n ")
    for path in [path for path in found if path.endswith("/mountinfo")]:
        # The fourth field is the one thing that Linux does not let be hidden; see the next test.
        lines = [line.split(" ") for line in found[path].splitlines()]
        found[path] = "\n".join(" ".join(fields[:3] + fields[4:]) for fields in lines)
    assert {path: named for path, text in found.items() if (named := _named(text, kernel))} == {}


def test_of_this_machines_folders_a_mount_tells_the_way_to_the_engine_alone(kernel: Kernel):
    mounts = [
        line.split(" ") for line in _value(kernel, "print(repr(open('/proc/self/mountinfo').read()))").splitlines()
    ]
    telling = {fields[4] for fields in mounts if _named(fields[3], kernel)}
    assert telling == {"/engine/lib", "/python"} if BASE.moved else {"/engine/lib"}


def test_the_first_process_is_known_by_a_name_that_tells_nothing(kernel: Kernel):
    line = _value(kernel, "print(open('/proc/1/cmdline').read().split('\\0'))")
    assert (line[0], line[line.index("--folder") + 1]) == ("/engine/bin/python", kernel._server._folder.marker)


def test_python_knows_no_place_of_this_machine(kernel: Kernel):
    source = """
import gc, linecache, os, subprocess, sys, sysconfig, traceback
import mxnet, numpy
text = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path, *sys.argv, *sys.orig_argv, os.getcwd()]
text += [str(vars(module).get(name)) for module in list(sys.modules.values()) for name in ("__file__", "__path__")]
text += [str(getattr(o, "co_filename", "")) for o in (getattr(f, "__code__", None) for f in gc.get_objects())]
try: numpy.zeros(2).reshape(3)
except ValueError: text.append(traceback.format_exc())
try: mxnet.nd.ones((2, 3)).reshape((7, 7)).asnumpy()
except Exception: text.append(traceback.format_exc())
text.append(subprocess.run([sys.executable, "-c", "import mxnet, sys; print(sys.prefix, mxnet.__file__, sys.path)"],
                           capture_output=True, text=True, check=True).stdout)
text += linecache.cache
print(repr("\\n".join(text)))
"""
    text = _value(kernel, source)
    assert "/engine/lib/" in text
    assert _named(text, kernel) == []


# The files whose content is known by size and digest.
FILES = r"""
import hashlib, os
found = {}
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if f"{folder}{name}" not in ("/proc", "/sys", "/dev")]
    for path in (os.path.join(folder, name) for name in files):
        try:
            if os.path.isfile(path) and os.stat(path).st_size in SIZES:
                found[hashlib.sha256(open(path, "rb").read()).hexdigest()] = path
        except OSError:
            continue
print(sorted(found.keys() & DIGESTS), os.path.exists(FOLDER), sep=", ")
"""


def test_a_submission_gets_no_copy_of_files_next_to_its_scenarios():
    """No hidden module, no visible one, no bank, no assignment.toml: what reaches a sandbox is the scenarios alone."""
    course = Course(ROOT)
    folder, spec = course.graders("async").folder, course.sandbox_spec("async")
    beside = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file() and path.suffix != ".pyc"}
    assert {folder / name for name in ("assignment.toml", "bank/class.toml", "test_loops.py")} <= beside.keys()
    assert spec.scenarios == beside.pop(folder / "scenarios.py")
    own = {hashlib.sha256(content).hexdigest() for _, content in spec.files}
    hidden = {hashlib.sha256(content).hexdigest() for content in beside.values()}
    sizes = {len(content) for content in (*beside.values(), *(content for _, content in spec.files))}
    source = FILES.replace("SIZES", repr(sizes)).replace("DIGESTS", repr(own | hidden))
    with Kernel(spec) as running:
        found, there = _value(running, source.replace("FOLDER", repr(str(folder))))
    assert set(found) == own  # what does reach it is found, so the search finds files
    assert own and not there


DESCRIPTORS = r"""
import os, re, socket, stat
kinds = {}
for name in os.listdir("/proc/self/fd"):
    number = int(name)
    try:
        target, mode = os.readlink(f"/proc/self/fd/{name}"), os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(mode):
        with socket.socket(fileno=os.dup(number)) as copy:
            address = copy.getsockname()
        target = "socket " + re.sub(r"\d+", "N", str(address[0] if isinstance(address, tuple) else address))
    kinds.setdefault(re.sub(r":\[\d+\]$", "", target), []).append(number)
print(kinds)
"""


def test_every_descriptor_is_of_the_sandboxes_own(kernel: Kernel):
    kinds = set(_value(kernel, DESCRIPTORS))
    sockets = {"socket ", "socket N.N.N.N", "socket /proc/self/fd/N/k-N"}
    assert kinds - {"/dev/null", "pipe", "anon_inode:[eventpoll]", "anon_inode:[eventfd]"} <= sockets
    assert "socket /proc/self/fd/N/k-N" in kinds  # the channels are among them


def test_stderr_holds_64_kib_and_stops_nobody(kernel: Kernel):
    source = """
import fcntl, os
full = 0
for name in os.listdir("/proc/self/fd"):
    try:
        waits = os.readlink(f"/proc/self/fd/{name}").startswith("pipe:") and os.get_blocking(int(name))
        writes = fcntl.fcntl(int(name), fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    except OSError:
        continue
    if os.readlink(f"/proc/self/fd/{name}").startswith("pipe:") and writes and not waits:
        taken = 0
        try:
            while True: taken += os.write(int(name), bytes(4096))
        except BlockingIOError:
            full = taken
print(full)
"""
    assert 0 < _value(kernel, source) <= 1 << 16  # whole pages; what was said before took some


def test_a_kernel_that_cannot_start_says_why():
    with (
        pytest.raises(DeadKernelError, match="NameError: name 'missing' is not defined"),
        Kernel(SandboxSpec(ENGINE, scenarios=b"missing\n")),
    ):
        pass


@pytest.mark.parametrize(
    ("base", "program", "mounts", "variables"),
    [
        (BasePython(Path("/usr"), "python3.11", True), "/usr/bin/python3.11", [], {}),
        (BasePython(Path("/usr/local"), "python3.10", True), "/usr/local/bin/python3.10", [], {}),
        (
            BasePython(Path("/home/ada/.pyenv/versions/3.9"), "python3.9", False),
            "/python/bin/python3.9",
            ["/python"],
            {},
        ),
        (
            *(BasePython(Path("/opt/conda"), "python3.11", True), "/python/bin/python3.11", ["/python"]),
            {"LD_LIBRARY_PATH": "/python/lib"},
        ),
    ],
)
def test_a_custom_python_is_mounted_at_a_path_that_reveals_nothing(
    base: BasePython, program: str, mounts: list[str], variables: dict[str, str]
):
    assert (base.program, base.mounts[2:], base.variables) == (program, mounts, variables)
    assert base.configuration.decode().splitlines()[0] == f"home = {os.path.dirname(program)}"


def test_an_engine_below_a_folder_that_can_be_written_is_at_its_usual_place(tmp_path: Path):
    (tmp_path / ".venv-mxnet").symlink_to(ENGINE)
    with Kernel(SandboxSpec(tmp_path / ".venv-mxnet", limits=Limits(disk_mib=9))) as kernel:
        assert _value(kernel, "import os, sys; print((sys.prefix, os.listdir('/tmp')))")[0] == "/engine"
