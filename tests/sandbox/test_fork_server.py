"""One sandbox serves many notebooks: nothing that one leaves or breaks reaches the next."""

import ast
import subprocess
import sys
import venv
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psutil
import pytest
from classroom import ENGINE

from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.kernel import Kernel
from syncpoint.sandbox import pool
from syncpoint.sandbox.sandbox import Sandbox
from syncpoint.sandbox.spec import Limits, SandboxSpec

SPEC = SandboxSpec(ENGINE)


@pytest.fixture(autouse=True, scope="module")
def no_idle_sandboxes() -> Iterator[None]:
    """Whatever other tests left ready is none of ours, and the other way round."""
    pool.close_all()
    yield
    pool.close_all()


def _run(source: str, sandbox_spec: SandboxSpec = SPEC) -> tuple[Sandbox, str]:
    """A notebook of one cell: the sandbox that it ran in, and what it printed."""
    with Kernel(sandbox_spec) as kernel:
        reply = kernel.execute(source, 300)
        assert reply.content.get("status") == "ok", reply.outputs
        return kernel._server, reply.stdout


def _value(source: str) -> Any:
    """What the last line of a second notebook's cell prints."""
    return ast.literal_eval(_run(source)[1].splitlines()[-1])


def test_a_clean_sandbox_serves_the_next_notebook():
    assert _run("x = 1")[0] is _run("x = 1")[0]


def test_another_limit_is_another_sandbox():
    assert _run("x = 1")[0] is not _run("x = 1", SandboxSpec(ENGINE, limits=Limits(disk_mib=8)))[0]


def test_files_and_scenarios_of_one_notebook_are_not_those_of_the_next():
    first = SandboxSpec(ENGINE, files=(("data/a.txt", b"one"),), scenarios=b"def scenario(probe): return 1\n")
    listing = "import os; print([sorted(f) for _, _, f in os.walk('/home/student')])"
    assert _run(listing, first)[1] == "[[], ['a.txt']]\n"
    assert _run(listing)[1] == "[[]]\n"


def test_a_sandbox_in_which_a_limit_was_exceeded_is_not_used_again():
    sandbox_spec = SandboxSpec(ENGINE, limits=Limits(memory_mib=600))
    kernel = Kernel(sandbox_spec)
    with kernel, pytest.raises(DeadKernelError, match="memory"):
        kernel.execute(
            "import mmap\nheld = []\nwhile True:\n    m = mmap.mmap(-1, 2**26); m.write(b'x' * 2**26); held.append(m)",
            300,
        )
    assert _run("x = 1", sandbox_spec)[0] is not kernel._server
    assert not psutil.pid_exists(kernel._server._process.pid)


def test_a_sandbox_that_died_while_idle_is_replaced():
    dead, _ = _run("x = 1")
    dead.kill()
    dead._process.wait()
    assert _run("print(7)")[1] == "7\n"


def _are_used(prepared: SandboxSpec, needed: list[SandboxSpec]) -> bool:
    pool.close_all()
    pool.prepare(prepared)
    ready = [*pool._idle]
    got = [pool.acquire(spec) for spec in needed]
    for server in got:
        server.end()
    return got == ready


def test_a_notebook_gets_the_sandbox_that_was_prepared():
    spec = SandboxSpec(ENGINE, files=(("a.txt", b"one"),), limits=Limits(disk_mib=10))
    assert _are_used(spec.empty, [spec])


def test_where_the_engine_has_a_process_of_its_own_both_are_prepared(torch_engine: Path):
    spec = SandboxSpec(torch_engine)
    assert _are_used(spec.empty, [spec.of_the_device, spec])


@pytest.mark.exhaustive
def test_no_more_sandboxes_are_kept_than_the_pool_may(monkeypatch):
    most = pool.MAX_IDLE_SANDBOXES
    servers = [_run("x = 1", SandboxSpec(ENGINE, limits=Limits(disk_mib=mib)))[0] for mib in range(10, 11 + most)]
    assert [server._process.poll() is None for server in servers] == [False] + [True] * most


def test_an_idle_sandbox_ends_by_itself(monkeypatch):
    monkeypatch.setattr(pool, "idle_seconds", 0.05)
    server, _ = _run("x = 1")
    assert server._process.wait(20) is not None


LEAVES = """
import os, sys
from pathlib import Path
from syncpoint.judge.kernel import Kernel
from syncpoint.sandbox.spec import SandboxSpec
kernel = Kernel(SandboxSpec(Path(sys.argv[1]))).__enter__()
print([process.pid for process in kernel._server.processes])
kernel.__exit__(None, None, None)
sys.stdout.flush()
if sys.argv[2] == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("end", ["ended", "killed"])
def test_no_sandbox_outlives_its_judge(end):
    done = subprocess.run([sys.executable, "-c", LEAVES, str(ENGINE), end], capture_output=True, text=True)
    inside = [psutil.Process(pid) for pid in ast.literal_eval(done.stdout) if psutil.pid_exists(pid)]
    assert psutil.wait_procs(inside, timeout=20)[1] == [], done.stderr


PROCESSES = "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()) == [1, os.getpid()])"


@pytest.mark.parametrize(
    "attack",
    [
        "import subprocess; subprocess.Popen(['sleep', '900'], start_new_session=True)",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(900)\n    os._exit(0)",
        "import os, signal, time\nif os.fork() == 0:\n    os.setsid()\n    for n in range(1, 32):\n"
        "        try: signal.signal(n, signal.SIG_IGN)\n        except OSError: pass\n    while True: time.sleep(900)",
        "import os\nif os.fork() == 0:\n    while True:\n        if os.fork(): os._exit(0)",
        "import threading, time; threading.Thread(target=time.sleep, args=(900,)).start()",
        "import multiprocessing, time; multiprocessing.Process(target=time.sleep, args=(900,)).start()",
    ],
    ids=["daemon", "double fork", "deaf", "forks for ever", "thread", "pool"],
)
def test_nothing_that_runs_is_left(attack):
    _run(attack)
    assert _value(PROCESSES) is True


@pytest.mark.sample(4)
@pytest.mark.parametrize("folder", ["/home/student", "/tmp", "/dev/shm"])
@pytest.mark.parametrize(
    "attack",
    [
        "open('FOLDER/left', 'w').write('x')",
        "import os; os.makedirs('FOLDER/.hidden/deep'); open('FOLDER/.hidden/deep/left', 'w').write('x')",
        "import os; os.makedirs('FOLDER/closed/in'); os.chmod('FOLDER/closed', 0)",
        "import os; os.symlink('/opt/syncpoint', 'FOLDER/link')",
        "import os; os.mkfifo('FOLDER/left')",
        "import os\nos.chdir('FOLDER')\nfor _ in range(3000):\n    os.mkdir('d'); os.chdir('d')",
        "import os; os.chmod('FOLDER', 0o755)",
        "import os; os.utime('FOLDER', (17, 17))",
    ],
    ids=["file", "hidden", "closed", "link", "pipe", "deep", "mode", "time"],
)
def test_no_file_is_left(folder, attack):
    look = (
        "import os; s = os.stat('FOLDER'); names = [n for n in os.listdir('FOLDER') if not n.startswith('ipython-')]\n"
        "print((names, oct(s.st_mode), int(s.st_mtime) == 17))"
    )
    before = _value(look.replace("FOLDER", folder))
    _run(attack.replace("FOLDER", folder))
    assert _value(look.replace("FOLDER", folder)) == before


PTY = "import os\nprint((oct(os.stat('/dev/pts/ptmx').st_mode), len(os.openpty())))"


def test_terminals_work_for_the_next_notebook():
    before = _value(PTY)
    _run("import os; os.chmod('/dev/pts/ptmx', 0); os.chmod('/dev/pts', 0o711)")
    assert _value(PTY) == before


FLOW_LABEL = """
import socket, struct
end = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
label = socket.inet_pton(socket.AF_INET6, "::1") + struct.pack("!I", 7) + struct.pack("=BBHHHI", 0, 255, 1, 60, 60, 0)
end.setsockopt(41, 32, label)  # IPV6_FLOWLABEL_MGR: Linux keeps it when the socket has gone
"""


def test_labels_of_connections_are_not_passed_on():
    look = "print(len(open('/proc/net/ip6_flowlabel').readlines()))"
    before = _value(look)
    _run(FLOW_LABEL)
    assert _value(look) == before


def test_flags_of_folders_are_not_passed_on():
    look = (
        "import fcntl, os; f = os.open('/tmp', os.O_RDONLY)\n"
        "try: print(fcntl.ioctl(f, 0x80086601, bytes(8)))\nexcept OSError: print(None)"
    )
    before = _value(look)
    with Kernel(SPEC) as kernel:
        kernel.execute(
            "import fcntl, os; fcntl.ioctl(os.open('/tmp', os.O_RDONLY), 0x40086602, b'\xc0' + bytes(7))", 300
        )
    assert _value(look) == before


def test_no_server_is_left():
    serve = (
        "import socket; s = socket.create_server(('127.0.0.1', 8765))\n"
        "a = socket.socket(socket.AF_UNIX); a.bind('\\0left'); a.listen()"
    )
    _run(serve)
    _run(serve)  # both names are free again


def test_a_connection_that_closes_slowly_keeps_no_port():
    _run(
        "import socket; s = socket.create_server(('127.0.0.1', 8766))\n"
        "c = socket.create_connection(('127.0.0.1', 8766))\n"
        "a, _ = s.accept(); a.close(); c.close(); s.close()"
    )
    _run("import socket; s = socket.socket(); s.bind(('127.0.0.1', 8766)); s.listen()")


@pytest.mark.parametrize(
    "attack",
    [
        "import builtins; builtins.print = None",
        "import mxnet as mx; mx.nd.NDArray.asnumpy = lambda self: 17; mx.base._LIB.MXNDArrayWaitAll = lambda: 0",
        "import numpy; numpy.allclose = lambda *a, **k: True",
        "import sys; sys.modules['mxnet'] = sys.modules['numpy'] = sys",
        "import os; os.environ['MXNET_ENGINE_TYPE'] = 'NaiveEngine'; os.environ['HOME'] = '/'; os.chdir('/')",
        "get_ipython().ast_transformers.append(None); In.append('left'); left = 1",
    ],
    ids=["builtins", "engine", "numpy", "modules", "environment", "shell"],
)
def test_no_change_of_a_module_is_left(attack):
    with Kernel(SPEC) as kernel:
        kernel.execute(attack, 300)
    look = (
        "import os, sys, mxnet as mx, numpy as np\n"
        "print((mx.nd.ones((2,)).asnumpy().tolist(), np.allclose(1, 2), os.getcwd(), os.environ['HOME'], "
        "os.environ['MXNET_ENGINE_TYPE'], len(In), 'left' in globals(), get_ipython().ast_transformers))"
    )
    expected = ([1.0, 1.0], False, "/home/student", "/home/student", "ThreadedEnginePerDevice", 2, False, [])
    assert _value(look) == expected


def test_work_that_the_engine_never_finishes_is_not_left():
    _run("import mxnet as mx\nx = mx.nd.ones((2000, 2000))\nfor _ in range(200): x = mx.nd.dot(x, x) / 2000")
    assert _value("import mxnet as mx; mx.nd.waitall(); print(mx.nd.ones((2,)).sum().asscalar())") == 2.0


def test_random_numbers_start_anew():
    look = "import random, uuid, numpy as np; print((random.random(), np.random.rand(), uuid.uuid4().hex))"
    first, second = _value(look), _value(look)
    assert all(a != b for a, b in zip(first, second, strict=True))


def test_no_signal_reaches_the_first_process():
    server, _ = _run("import os\nfor n in range(1, 65):\n    try: os.kill(1, n)\n    except OSError: pass")
    again, pending = _run("print([l.split()[1] for l in open('/proc/1/status') if l.startswith(('ShdPnd', 'SigPnd'))])")
    assert (again, ast.literal_eval(pending)) == (server, ["0" * 16, "0" * 16])


def test_signals_do_not_queue_up():
    _run("import ctypes, os; kill = ctypes.CDLL(None).sigqueue; print([kill(1, 40, 0) for _ in range(1000)][-1])")
    look = "print(next(int(l.split()[1].split('/')[0]) for l in open('/proc/1/status') if l.startswith('SigQ')))"
    assert _value(look) < 1000


@pytest.mark.parametrize(
    "attack",
    [
        "open('/proc/1/mem', 'rb')",
        "open('/proc/1/environ', 'rb').read()",
        "os.readlink('/proc/1/fd/3')",
        "open('/proc/1/fd/3')",
        "open('/proc/1/maps').read()",
        "os.readlink('/proc/1/exe')",
        "os.readlink('/proc/1/cwd')",
    ],
)
def test_nobody_looks_into_the_first_process(attack):
    look = f"import os\ntry:\n    {attack}; print(True)\nexcept PermissionError:\n    print(False)"
    assert _value(look) is False


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("attack", "look"),
    [
        (
            "import resource as r; r.prlimit(1, r.RLIMIT_NOFILE, (20, 20))",
            "import resource as r; print(r.getrlimit(r.RLIMIT_NOFILE))",
        ),
        ("import os; os.setpriority(os.PRIO_PROCESS, 1, 19)", "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"),
        (
            "import os; os.sched_setaffinity(1, {min(os.sched_getaffinity(0))})",
            "import os; print(os.sched_getaffinity(0))",
        ),
        (
            "import os; os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))",
            "import os; print(os.sched_getscheduler(0))",
        ),
        ("open('/proc/1/oom_score_adj', 'w').write('900')", "print(int(open('/proc/self/oom_score_adj').read()))"),
        (
            "open('/proc/1/coredump_filter', 'w').write('1')",
            "print(int(open('/proc/self/coredump_filter').read(), 16))",
        ),
    ],
    ids=["limits", "priority", "affinity", "scheduler", "killed first", "dumps"],
)
def test_what_was_done_to_the_first_process_is_not_passed_on(attack, look):
    before = _value(look)
    with Kernel(SPEC) as kernel:
        kernel.execute(attack, 300)  # where the operator is no superuser, some are refused
    assert _value(look) == before


def test_the_kernel_inherits_nothing_open_but_its_channels():
    look = (
        "import os\nprint([os.readlink(f'/proc/self/fd/{n}').split(':')[0] for n in os.listdir('/proc/self/fd') "
        "if os.path.exists(f'/proc/self/fd/{n}')])"
    )
    kinds = set(_value(look))
    assert kinds <= {"/dev/null", "socket", "pipe", "anon_inode"} | {kind for kind in kinds if "(deleted)" in kind}


def test_nothing_of_the_judges_order_is_in_reach_of_frames():
    look = (
        "import sys\nframe, found = sys._getframe(), []\nwhile frame := frame.f_back:\n"
        "    found += [name for name in frame.f_locals if name in ('connection', 'control', 'cleaner', 'data')]\n"
        "from ipykernel.kernelapp import IPKernelApp\nprint((found, 'key' in IPKernelApp.instance().connection))"
    )
    assert _value(look) == ([], False)


def test_a_sandbox_is_lent_to_the_thread_that_started_it():
    """bubblewrap ends with that thread."""
    with ThreadPoolExecutor(1) as threads:
        other, _ = threads.submit(_run, "x = 1").result()
    assert _run("print(7)")[0] is not other


def test_a_forked_process_takes_no_sandbox_of_its_parent():
    _run("x = 1")
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as forked:
        assert forked.submit(_number_of_idle_sandboxes).result() == 0
    assert _number_of_idle_sandboxes() > 0


def _number_of_idle_sandboxes() -> int:
    return len(pool._idle)


def test_the_key_of_one_kernel_is_not_that_of_the_next():
    key = "print(repr(get_ipython().kernel.session.key))"
    assert _value(key) != _value(key)


def test_an_engine_that_cannot_be_loaded_says_why(tmp_path: Path):
    prefix = tmp_path / ".venv-mxnet"
    venv.create(prefix, symlinks=True)  # without a single package
    with pytest.raises(DeadKernelError, match=r"exit status 1\): ModuleNotFoundError: No module named "):
        Kernel(SandboxSpec(prefix)).__enter__()
