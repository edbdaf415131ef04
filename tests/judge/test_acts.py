"""Each kind of suspicious act is seen in a real kernel, honest work is not, and no flag moves a point."""

import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from classroom import BIN, QUEUE_WORK, ROOT, SmallCourse, sandbox_spec
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.core.results import SuspiciousAct
from syncpoint.core.texts import TEXTS
from syncpoint.course.folder import Course
from syncpoint.judge.act_collector import MAX_ACTS, MAX_PER_KIND, ActCollector, SeenByJudge
from syncpoint.judge.cells import is_autograded
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.judge.student import Deadline, Student
from syncpoint.judge.test_runner import run_tests
from syncpoint.probe.acts import KINDS
from syncpoint.probe.integrity import _frames_of_threads

IMPORTS = """
import ast, builtins, ctypes, gc, importlib, inspect, json, os, pathlib
import signal, socket, subprocess, sys, threading, time
import mxnet as mx, numpy as np
from mxnet import nd
shell = get_ipython()
"""

# What a cell does, the flag of it, and what puts things right again for the next one.
REPLACED = {
    "mxnet.base._LIB.MXNDArrayWaitAll": "mx.base._LIB",
    "mxnet.ndarray.ndarray.NDArray.wait_to_read": "nd.NDArray",
    "mxnet.ndarray.ndarray.NDArray.asnumpy": "nd.NDArray",
    "mxnet.ndarray.waitall": "nd",
    "mxnet.numpy.dot": "mx.np",
    "mxnet.gluon.block.HybridBlock.hybridize": "mx.gluon.HybridBlock",
    "time.time": "time",
    "numpy.allclose": "np",
    "threading.Timer": "threading",
    "json.dumps": "json",
    "builtins.sum": "builtins",
    "sys.modules.numpy": "",
}
ACTS = [
    ("patched", "mxnet.ndarray.ndarray.waitall", "nd.waitall.__code__ = (lambda: None).__code__", ""),
    (
        "transformer",
        "AST transformers",
        "shell.ast_transformers.append(ast.NodeTransformer())",
        "shell.ast_transformers.clear()",
    ),
    (
        "transformer",
        "input transformers",
        "shell.input_transformers_post.append(lambda lines: lines)",
        "shell.input_transformers_post.clear()",
    ),
    ("display", "sys.displayhook", "sys.displayhook = print\n5", ""),
    ("display", "display_pub.publish", "shell.display_pub.publish = print", "del shell.display_pub.publish"),
    (
        "display",
        "the formatter of.int",
        "text = shell.display_formatter.formatters['text/plain']\ntext.for_type(int, lambda n, p, cycle: p.text('9'))",
        "text.type_printers.pop(int)",
    ),
    ("tracing", "sys.settrace", "sys.settrace(lambda *event: None)", "sys.settrace(None)"),
    ("tracing", "sys.setprofile", "sys.setprofile(lambda *event: None)", "sys.setprofile(None)"),
    ("tracing", "threading.setprofile", "threading.setprofile(lambda *event: None)", "threading.setprofile(None)"),
    ("tracing", "sys.addaudithook", "sys.addaudithook(lambda *event: None)", ""),
    ("search", "gc.get_objects", "gc.get_objects(); None", ""),
    ("search", "gc.get_referrers", "gc.get_referrers(nd); None", ""),
    ("search", "sys._getframe", "inspect.currentframe(); None", ""),
    ("search", "sys._current_frames", "sys._current_frames(); None", ""),
    ("search", "tb_frame", "try: 1 / 0\nexcept ArithmeticError as error: error.__traceback__.tb_frame", ""),
    ("memory", "from_address", "ctypes.c_long.from_address(id(nd)); None", ""),
    ("memory", "string_at", "ctypes.string_at(id(nd), 4); None", ""),
    ("memory", "MXGetGPUCount", "mx.base._LIB['MXGetGPUCount']; None", ""),
    ("memory", "libmxnet", "ctypes.CDLL(mx.libinfo.find_lib_path()[0]); None", ""),
    ("files", "/proc/self/mem", "open('/proc/self/mem', 'rb').close()", ""),
    ("files", "kernel.py", "pathlib.Path('/opt/syncpoint/probe/kernel.py').read_text(); None", ""),
    ("files", "`/opt/syncpoint`", "subprocess.run(['cat', '/opt/syncpoint/probe/kernel.py'], capture_output=True)", ""),
    ("kernel", "kernel", "shell.kernel", ""),
    ("kernel", "session", "shell.parent.session", ""),
    (
        "kernel",
        "session.send",
        "shell.parent.session.send = shell.parent.session.send",
        "del shell.parent.session.send",
    ),
    ("kernel", "a Unix socket", "try: socket.socket(socket.AF_UNIX).connect('/nothing')\nexcept OSError: pass", ""),
    ("probe", "probe", "try: import probe\nexcept ImportError: pass", ""),
    (
        "patched",
        "Trace.report",
        "Trace = next(k for k in object.__subclasses__() if k.__name__ == 'Trace')\n"
        "kept, Trace.report = Trace.report, print",
        "Trace.report = kept",
    ),
    ("environment", "OMP_NUM_THREADS", "os.environ['OMP_NUM_THREADS'] = '2'", "os.environ['OMP_NUM_THREADS'] = '1'"),
    ("environment", "MXNET_ENGINE_TYPE", "del os.environ['MXNET_ENGINE_TYPE']", ""),
    ("signals", "SIGINT", "signal.signal(signal.SIGINT, signal.SIG_IGN); None", ""),
    ("processes", "os.fork", "os.fork() or os._exit(0)", ""),
]


@pytest.fixture(scope="module")
def suspect() -> Iterator[Kernel]:
    """A kernel for acts; it tells each act once."""
    with Kernel(sandbox_spec(cell_seconds=60)) as running:
        running.execute(IMPORTS, 300)
        yield running


@pytest.fixture(scope="module")
def honest() -> Iterator[Kernel]:
    """A kernel in which nothing suspicious ever happens."""
    with Kernel(sandbox_spec(cell_seconds=60)) as running:
        running.execute(IMPORTS, 300)
        yield running


def acts_of(kernel: Kernel, source: str, status: str = "ok") -> list[SuspiciousAct]:
    """Run a cell and return the flags it gets."""
    kernel.act_collector = ActCollector(moment="after cell 7")
    reply = kernel.execute(source, 300)
    assert reply.content.get("status") == status, reply.outputs
    return kernel.act_collector.acts


def test_every_kind_is_shown_by_an_act():
    shown = {kind for kind, *_ in ACTS}
    assert shown == KINDS - {"blinded"}, "ACTS above"  # blinded: the monitor itself failed


def test_every_kind_has_its_sentence():
    output = {code.removeprefix("act_") for code in TEXTS if code.startswith("act_")}
    assert output == KINDS | set(get_args(SeenByJudge)), "act_<kind> in core/texts.py"


# --- what is flagged ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPLACED)
def test_a_replaced_function_is_flagged(suspect: Kernel, name: str):
    owner, attribute = REPLACED[name], name.rpartition(".")[2]
    if owner:
        acts = acts_of(suspect, f"kept = {owner}.{attribute}\n{owner}.{attribute} = lambda *a, **k: kept(*a, **k)")
        suspect.execute(f"{owner}.{attribute} = kept", 300)
    else:
        acts = acts_of(suspect, "sys.modules['numpy'] = json")
        suspect.execute("sys.modules['numpy'] = np", 300)
    assert ("patched", f"`{name}` was replaced or changed (first seen after cell 7).") in [
        (act.kind, str(act.message)) for act in acts
    ]


@pytest.mark.parametrize(("kind", "name", "source", "undo"), ACTS, ids=[f"{a[0]}-{a[1]}" for a in ACTS])
def test_an_act_is_flagged(suspect: Kernel, kind: str, name: str, source: str, undo: str):
    acts = acts_of(suspect, source)
    suspect.execute(undo or "pass", 300)
    assert [act.kind for act in acts if name in str(act.message)] == [kind], acts


def test_an_act_inside_a_function_that_the_grader_calls_is_flagged(suspect: Kernel):
    assert acts_of(suspect, "def f(x):\n    gc.get_referents(x)\n    return x") == []
    Student(suspect, Deadline(60)).call("f", 1)
    assert [act.kind for act in suspect.act_collector.acts] == ["search"]


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("a message about a request that was never made", "'stream', {}, parent={'header': {'msg_id': 'forged'}}"),
        ("a message of a kind that no kernel sends", "'score', {}, parent=kernel.get_parent('shell')"),
    ],
)
def test_a_forged_message_is_flagged(suspect: Kernel, output: str, source: str):
    acts = acts_of(suspect, f"kernel = shell.kernel\nkernel.session.send(kernel.iopub_socket, {source}); None")
    assert f"The kernel sent {output} (first seen after cell 7)." in [str(act.message) for act in acts]


def test_a_message_that_cannot_be_read_is_flagged(suspect: Kernel):
    acts = acts_of(suspect, "shell.kernel.iopub_socket.send_multipart([b'x', b'<IDS|MSG>', b'no key', b'{}'] * 2)")
    assert "messages" in [act.kind for act in acts]


def test_a_second_reply_is_flagged(suspect: Kernel):
    twice = """
session = shell.kernel.session
send = session.send
def send_twice(stream, kind, *rest, **more):
    if kind == "execute_reply":
        send(stream, kind, *rest, **more)
    return send(stream, kind, *rest, **more)
session.send = send_twice
"""
    acts = acts_of(suspect, twice)
    suspect.execute("del session.send", 300)  # the second reply may come after the first was believed
    assert "The kernel sent a reply to no request (first seen after cell 7)." in [str(f.message) for f in acts]


LEFT = """
import subprocess, threading, time
subprocess.Popen(["sleep", "600"])
def work():
    while True: time.sleep(0.1)
threading.Thread(target=work, daemon=True).start()
"""


def test_threads_and_processes_that_live_on_are_flagged():
    with NotebookRun(new_notebook(cells=[new_code_cell(LEFT)]), sandbox_spec()) as run:
        run.advance_to(1)
    assert [str(act.message) for act in run.acts] == [
        "Threads of the notebook still ran: 1 (first seen at the end).",
        "Processes of the notebook still ran: 1 (first seen at the end).",
    ]


def test_no_garbage_collection_while_frames_of_threads_are_looked_up():
    """It would run with a lock of the interpreter's held, and other threads wait for it with the GIL held."""
    seen, here = [], threading.get_ident()
    stop = threading.Event()
    threads = [threading.Thread(target=stop.wait) for _ in range(4)]
    for thread in threads:
        thread.start()
    thresholds = gc.get_threshold()

    def note(phase: str, _: dict[str, int]) -> None:
        seen.append(sys._getframe(1).f_code.co_name)

    gc.callbacks.append(note)
    try:
        gc.set_threshold(1)
        frames = _frames_of_threads()
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(note)
        stop.set()
        for thread in threads:
            thread.join()
    assert here in frames and gc.isenabled()
    assert "_frames_of_threads" not in seen


# --- what is not --------------------------------------------------------------------------------------------------

HONEST = {
    "magics": "%timeit -n1 -r1 nd.ones(2).asnumpy()\n%precision 3\n%prun -q nd.ones(2)\n!ls\n0.5",
    "time magic": "%%time\nnd.ones((3, 3)).sum().asnumpy()",
    "matplotlib": "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "warnings and options": "import warnings\nwarnings.filterwarnings('ignore')\nnp.set_printoptions(precision=2)",
    "seeds": "np.random.seed(1)\nmx.random.seed(1)\nmx.npx.set_np()\nmx.npx.reset_np()",
    "familiar names": "def dot(a, b):\n    return nd.dot(a, b)\nprint_all = print\nfrom time import time as now",
    "helpers of one's own": "class Net: pass\nNet.run = lambda self: 1\nNet.run = lambda self: 2\nNet().run()",
    "threads that end": "t = threading.Thread(target=lambda: nd.ones(2).asnumpy())\nt.start()\nt.join()",
    "a pool of threads": "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\n"
    "list(pool.map(abs, [1, 2]))",
    "a pool of processes": "import multiprocessing\nworkers = multiprocessing.get_context('spawn').Pool(1)\n"
    "workers.map(abs, [1, 2])",
    "garbage": "gc.collect()\ngc.disable()\ngc.enable()",
    "frames of libraries": "import collections, dataclasses, enum, logging, traceback\n"
    "P = collections.namedtuple('P', 'x')\nlogging.getLogger('mine').warning('here')\n"
    "inspect.signature(threading.Thread)\ntraceback.print_stack()",
    "a profile of one's own": "import cProfile\nprofile = cProfile.Profile()\nprofile.enable()\nprofile.disable()",
    "memory read from files": "open('/proc/self/status').read(); open(f'/proc/{os.getpid()}/smaps').read(); None",
    "a library of the system": "ctypes.CDLL('libc.so.6').malloc_trim(0)",
    "a folder for data": "os.environ['MXNET_HOME'] = '/tmp/data'\nos.environ['MXNET_CUDNN_AUTOTUNE_DEFAULT'] = '0'",
    "a format of one's own": "text = shell.display_formatter.formatters['text/plain']\n"
    "class Net: pass\ntext.for_type(Net, lambda n, p, c: p.text('net'))",
    "all results shown": "shell.ast_node_interactivity = 'all'",
    "a context": "with mx.cpu(1), mx.autograd.record(), mx.engine.bulk(2):\n    nd.ones(2).sum()",
    "a module of one's own": "pathlib.Path('mine.py').write_text('x = 1')\nimport mine\nimportlib.reload(mine)",
}


@pytest.mark.parametrize("what", HONEST)
def test_honest_code_is_not_flagged(honest: Kernel, what: str):
    assert acts_of(honest, HONEST[what]) == []


def test_errors_and_timeouts_are_not_flagged(honest: Kernel):
    assert acts_of(honest, "1 / 0", status="error") == []
    honest.execute("while True: pass", 1)
    honest.execute("time.sleep(1000)", 1)
    assert acts_of(honest, "1") == []


def test_idle_pools_at_the_end_are_not_flagged(honest: Kernel):
    start = "import multiprocessing\nfrom concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\n"
    start += (
        "list(pool.map(abs, [1, 2]))\nworkers = multiprocessing.get_context('spawn').Pool(1)\nworkers.map(abs, [1])"
    )
    acts = acts_of(honest, start)
    honest.check_leftovers()
    assert acts == []


COURSE = Course(ROOT)
NOTEBOOKS = [(name, path.stem) for name in COURSE.assignments() for path in COURSE.source(name).folder.glob("*.ipynb")]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("assignment", "notebook"), sorted(NOTEBOOKS))
def test_a_reference_solution_runs_to_its_end_and_is_not_flagged(assignment: str, notebook: str):
    with NotebookRun(COURSE.source(assignment).notebook(notebook), COURSE.sandbox_spec(assignment)) as run:
        for index, cell in enumerate(run.notebook.cells):
            run.advance_to(index)
            if is_autograded(cell):
                run_tests(COURSE.graders(assignment).module(cell.metadata.nbgrader.grade_id), run.student())
        run.advance_to(len(run.notebook.cells))
    assert (run.acts, [str(incident.message) for incident in run.incidents]) == ([], [])


# --- the report ---------------------------------------------------------------------------------------------------


def received(*reports: Any) -> ActCollector:
    """Return the judge's result for these reports."""
    act_collector = ActCollector()
    for report in reports:
        act_collector.add_report({"integrity": report})
    return act_collector


@pytest.mark.parametrize(
    "report",
    [
        *(None, [], "acts", {}, {"acts": None, "threads": 0}, {"acts": []}, {"acts": [], "threads": "many"}),
        *({"acts": [], "threads": 10**4000}, {"acts": [], "threads": -1}, {"acts": [], "threads": True}),
        *({"acts": ["x"], "threads": 0}, {"acts": [[1, 2]], "threads": 0}, {"acts": [["praise", ""]], "threads": 0}),
        *({"acts": [["patched", None]], "threads": 0}, {"acts": [[["patched"], "x"]], "threads": 0}),
    ],
    ids=str,
)
def test_a_report_that_makes_no_sense_is_itself_a_flag(report: Any):
    assert [act.kind for act in received(report).acts] == ["report"]


def test_a_missing_report_is_a_flag():
    act_collector = ActCollector()
    act_collector.add_report({"status": "ok"})
    assert [act.kind for act in act_collector.acts] == ["report"]


def test_an_act_is_stored_once_with_the_moment_it_was_first_seen():
    report = {"acts": [["search", "x"]], "threads": 0}
    act_collector = received(report)
    act_collector.moment = "later"
    act_collector.add_report({"integrity": report})
    assert [str(act.message).endswith("(first seen before the first cell).") for act in act_collector.acts] == [True]


def test_a_flood_of_acts_is_bounded():
    act_collector = received(*({"acts": [["search", f"{n} " * 1000]], "threads": 0} for n in range(1000)))
    assert len(act_collector.acts) == MAX_PER_KIND + 1
    assert str(act_collector.acts[-1].message).startswith("There were more acts of the kind `search`")
    assert max(len(str(act.message)) for act in act_collector.acts) < 300


def test_a_flood_of_one_kind_hides_no_other():
    flood = [["environment", f"NAME_{number}"] for number in range(900)]
    act_collector = received({"acts": [*flood, ["kernel", "session"]], "threads": 0}, {"acts": flood, "threads": 0})
    assert [act.kind for act in act_collector.acts] == ["environment"] * (MAX_PER_KIND + 1) + ["kernel"]


def test_a_report_longer_than_any_of_the_lookouts_is_itself_a_flag():
    report = {"acts": [["search", str(number)] for number in range(MAX_ACTS + 1)], "threads": 0}
    assert [act.kind for act in received(report).acts] == ["report"]


FLOOD = """
for number in range(300):
    try: open(f"/opt/syncpoint/{number}")
    except OSError: pass
gc.get_objects()
None
"""


def test_a_flood_in_a_notebook_hides_no_other_kind():
    with Kernel(sandbox_spec(cell_seconds=60)) as flooding:
        flooding.execute(IMPORTS, 300)
        kinds = [act.kind for act in acts_of(flooding, FLOOD)]
    assert (kinds.count("files"), kinds.count("search")) == (MAX_PER_KIND + 1, 1)


def test_a_name_holds_nothing_that_a_terminal_or_a_browser_would_act_on():
    (act,) = received({"acts": [["search", "\x1b[2J<script>`[red]\n\u202e"]], "threads": 0}).acts
    assert not set("\x1b<>`\n\u202e") & set(str(act.message).replace("`?", "", 1).replace("?`", "", 1))


# --- points -------------------------------------------------------------------------------------------------------

SUSPICIOUS = QUEUE_WORK + "\nimport gc, time\ngc.get_objects()\ntime.time = lambda: 0\nNone"


@pytest.mark.slow
def test_flags_reach_the_ta_and_neither_the_points_nor_the_student(course: SmallCourse):
    course.submit("ada", course.solved(queue_work=SUSPICIOUS))
    course.submit("bob", course.solved())
    for command in ("autograde", "generate_feedback"):
        course.must_run("nbgrader", command, "async")
    assert course.scores() == {"ada": (4, 2), "bob": (4, 2)}
    sentence = "`time.time` was replaced or changed (first seen after cell 2 (`queue_work`))."
    output = " ".join(course.run(str(BIN / "syncpoint"), "why", "ada", "async").stdout.split())
    assert f"? suspicious: {sentence}" in output
    assert "suspicious" not in course.run(str(BIN / "syncpoint"), "why", "bob", "async").stdout
    assert "first seen" not in course.feedback("ada")
