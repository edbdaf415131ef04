"""Attacks from a student's cell: nothing outside the sandbox can be read, reached or changed."""

import ast
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from classroom import ENGINE, ROOT, SmallCourse
from escape import OUTLIVE

from syncpoint.judge.kernel import Kernel
from syncpoint.sandbox.pool import close_all
from syncpoint.sandbox.spec import Limits, SandboxSpec

SECRET = "the operator's own"


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """A kernel that was started by somebody whose environment holds a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYNCPOINT_SECRET", SECRET)
        with Kernel(SandboxSpec(ENGINE, limits=Limits(disk_mib=8))) as running:
            yield running


def _inside(kernel: Kernel, source: str) -> Any:
    """Run the source in the sandbox; the value that it prints last."""
    reply = kernel.execute(source, 300)
    assert reply.content.get("status") == "ok", reply.outputs
    return ast.literal_eval(reply.stdout.splitlines()[-1])


def _outcome(kernel: Kernel, statement: str) -> str:
    """Run one statement inside; "done" or the name of the error."""
    return _inside(
        kernel,
        f"import os, socket\ntry:\n    {statement}\n    out = 'done'\n"
        "except Exception as error:\n    out = type(error).__name__\nprint(repr(out))",
    )


def test_a_server_on_loopback_is_out_of_reach(kernel: Kernel):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        socket.create_connection(address).close()
        assert _outcome(kernel, f"socket.create_connection({address!r}, 5)") == "ConnectionRefusedError"


@pytest.mark.parametrize("path", ["/proc/sys/kernel/core_pattern", "/proc/sys/fs/pipe-max-size", "/proc/sysrq-trigger"])
def test_settings_of_linux_cannot_be_written(kernel: Kernel, path: str):
    assert _outcome(kernel, f"open({path!r}, 'w').close()") in ("OSError", "PermissionError", "FileNotFoundError")


def test_an_abstract_unix_socket_is_out_of_reach(kernel: Kernel):
    name = f"\0syncpoint-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as neighbor:
        server.bind(name)
        server.listen()
        neighbor.connect(name)
        attack = f"socket.socket(socket.AF_UNIX).connect({name!r})"
        assert _outcome(kernel, attack) == "ConnectionRefusedError"


def test_there_is_no_interface_but_loopback(kernel: Kernel):
    assert _inside(kernel, "import socket; print([n for _, n in socket.if_nameindex()])") == ["lo"]


def test_there_is_no_way_to_the_outside(kernel: Kernel):
    # 192.0.2.1 is nobody's: with a route the datagram would leave without an error.
    attack = "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))"
    assert _outcome(kernel, attack) == "OSError"


@pytest.mark.parametrize(
    "path",
    [
        "grader_tests/async/test_queue_work.py",
        "grader_tests/async/helper.py",
        "source/async/work.ipynb",
        "gradebook.db",
        "nbgrader_config.py",
        "submitted/neighbor/async/work.ipynb",
    ],
)
def test_files_of_the_course_do_not_exist_inside(kernel: Kernel, course: SmallCourse, path: str):
    course.submit("neighbor", course.solved())
    (course.root / "grader_tests" / "async" / "helper.py").touch()
    assert (course.root / path).is_file()
    assert _outcome(kernel, f"open({str(course.root / path)!r})") == "FileNotFoundError"


def test_nothing_of_the_repository_is_there(kernel: Kernel):
    assert _outcome(kernel, f"os.listdir({str(ROOT)!r})") == "FileNotFoundError"


def test_of_the_package_only_the_probe_and_what_the_engine_has_inside_can_be_opened(kernel: Kernel):
    package = ROOT / "syncpoint"
    modules = [("probe", path) for path in (package / "probe").glob("*.py")]
    modules += [("engine", path) for path in (package / "engines" / "mxnet" / "inside").glob("*.py")]
    walk = "[f'{way}/{name}' for way, _, files in os.walk('/opt') for name in files]"
    found = _inside(kernel, f"import os; print({{path: len(open(path).read()) for path in {walk}}})")
    assert found == {f"/opt/syncpoint/{name}/{path.name}": len(path.read_text()) for name, path in modules}


def test_only_the_inside_of_an_engines_folder_is_mounted(kernel: Kernel):
    engines = ROOT / "syncpoint" / "engines"
    outside = {path.name for path in [*engines.glob("*/*.*"), *engines.glob("*.py")]} - {"__init__.py"}
    assert {"engine.toml", "find.py", "base.py"} <= outside
    mounts = "('/proc', '/usr', '/python', '/engine/lib')"  # of the machine's own, which have files of any name
    walk = f"[name for way, _, files in os.walk('/') if not way.startswith({mounts}) for name in files]"
    assert set(_inside(kernel, f"import os; print({walk})")) & (outside | {"assignment.toml"}) == set()


def test_home_of_the_operator_is_not_there(kernel: Kernel):
    assert _outcome(kernel, f"os.listdir({str(Path.home())!r})") == "FileNotFoundError"


def test_users_of_the_machine_are_not_listed(kernel: Kernel):
    assert _outcome(kernel, "open('/etc/passwd')") == "FileNotFoundError"


def test_the_machines_sockets_are_not_there(kernel: Kernel):
    assert _inside(kernel, "import os; print([p for p in ('/run', '/var', '/sys') if os.path.exists(p)])") == []


def test_only_three_folders_can_be_written(kernel: Kernel):
    attack = """
import os
mounts = sorted({line.split()[4] for line in open("/proc/self/mountinfo")} | {"/", "/etc", "/home", "/opt", "/dev"})
written = []
for mount in mounts:
    try:
        with open(os.path.join(mount, "trace"), "w") as file:
            file.write("x")
        os.remove(os.path.join(mount, "trace"))
    except OSError:
        continue
    written.append(mount)
print(written)
"""
    assert _inside(kernel, attack) == ["/dev/shm", "/home/student", "/tmp"]


def test_the_engine_cannot_be_changed(kernel: Kernel):
    attack = "import mxnet; open(mxnet.__file__, 'a')"
    assert _outcome(kernel, attack) == "OSError"


@pytest.mark.parametrize("folder", ["/home/student", "/tmp", "/dev/shm"])
def test_one_file_stays_below_the_disk_limit(kernel: Kernel, folder: str):
    attack = f"open('{folder}/large', 'wb').write(bytes(9 * 2**20))"
    outcome = _outcome(kernel, attack)
    kernel.execute(f"import os; os.remove('{folder}/large')", 300)
    assert outcome == "OSError"


@pytest.mark.parametrize("folder", ["/home/student", "/tmp", "/dev/shm"])
def test_many_files_stay_below_the_disk_limit(kernel: Kernel, folder: str):
    attack = f"""
import os
os.mkdir("{folder}/many")
try:
    for number in range(20):
        with open(f"{folder}/many/{{number}}", "wb") as file:
            file.write(bytes(2**20))
    out = number
except OSError as error:
    out = error.errno
__import__("shutil").rmtree("{folder}/many")
print(out)
"""
    assert _inside(kernel, attack) == 28  # ENOSPC


def test_no_environment_holds_anything_of_the_operators(kernel: Kernel):
    attack = """
import glob
text = ""
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        text += open(path).read()
    except OSError:
        pass
print((len(text) > 100, "SYNCPOINT" in text))
"""
    # The one process whose environment certainly shows it: that of a child of this process.
    with subprocess.Popen(["sleep", "600"], env={"SYNCPOINT_SECRET": SECRET}) as neighbor:
        try:
            found = _inside(kernel, attack)
        finally:
            neighbor.kill()
    assert found == (True, False)


def test_processes_of_others_cannot_be_seen(kernel: Kernel):
    names = _inside(kernel, "import glob; print([open(p).read().strip() for p in glob.glob('/proc/[0-9]*/comm')])")
    assert [name for name in names if name not in ("bwrap", "python", "python3", "python3.11")] == []


def test_processes_of_others_cannot_be_killed(kernel: Kernel):
    assert _outcome(kernel, f"os.kill({_free_inside(kernel)}, 0)") == "ProcessLookupError"


def _free_inside(kernel: Kernel) -> int:
    """A process that exists outside and whose number is nobody's inside."""
    inside = _inside(kernel, "import os; print([int(p) for p in os.listdir('/proc') if p.isdigit()])")
    return next(number for number in (os.getpid(), os.getppid(), *psutil.pids()) if number not in inside)


@pytest.mark.parametrize("flag", ["0x10000000", "0x00020000"], ids=["user", "mount"])
def test_no_further_namespace_can_be_made(kernel: Kernel, flag: str):
    # In a process of its own: the kernel would refuse it to a program with threads in any sandbox.
    attempt = f"import ctypes; print(ctypes.CDLL(None).unshare({flag}))"
    call = f"subprocess.check_output([sys.executable, '-I', '-c', {attempt!r}], text=True)"
    assert _inside(kernel, f"import subprocess, sys; print({call}.strip())") == -1


def test_there_are_no_capabilities(kernel: Kernel):
    found = _inside(
        kernel, "print([l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd'))])"
    )
    assert found == ["0" * 16, "0" * 16]


def test_no_privilege_can_be_gained(kernel: Kernel):
    found = _inside(kernel, "print([l.split()[1] for l in open('/proc/self/status') if 'NoNewPrivs' in l])")
    assert found == ["1"]


def _end_of(kernel: Kernel) -> list[psutil.Process]:
    """Stop the kernel; what of its sandbox is still alive beside the server, which waits for a next kernel."""
    server, *inside = kernel._server.processes
    assert server == kernel._process.parent() and len(inside) == 2, "the daemon did not start"
    kernel.__exit__(None, None, None)
    return psutil.wait_procs(inside, timeout=20)[1]


def test_a_daemon_ends_with_its_kernel():
    kernel = Kernel(SandboxSpec(ENGINE)).__enter__()
    kernel.execute("import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)", 300)
    assert _end_of(kernel) == []


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the attack is written in x86-64 registers")
def test_a_sandbox_that_traced_its_first_process_ends_with_its_kernel():
    kernel = Kernel(SandboxSpec(ENGINE)).__enter__()
    reply = kernel.execute(OUTLIVE, 300)
    alive = _end_of(kernel)
    for process in alive:
        process.kill()
    assert (reply.content["status"], alive) == ("ok", [])


def test_nothing_is_left_in_the_temporary_folder(monkeypatch: pytest.MonkeyPatch):
    folder = tempfile.mkdtemp(prefix="sp", dir="/tmp")  # a short path, as unix sockets need
    close_all()
    monkeypatch.setenv("TMPDIR", folder)
    with Kernel(SandboxSpec(ENGINE)) as kernel:
        used = os.listdir(folder)
        kernel.execute("open('/tmp/mine', 'w').write('x')", 300)
    close_all()
    left = os.listdir(folder)
    shutil.rmtree(folder)
    assert (len(used), left) == (1, [])
