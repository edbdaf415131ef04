"""Submissions to the assignment `gpu` of toy_gpu.py that want points without the work: none may get more than `WRONG`.

Each has a kind as in the banks, and the parts of a notebook: a cell before all others ("first"), after them ("last"),
files beside it ("files"), and the sources of the exercises; of those that it does not name it hands in the wrong ones.
"""

import textwrap
from typing import Any

# What is wrong in each: no work at all, a hidden wait, all batches at once, no wait.
WRONG = {
    "cube": "def cube(x):\n    return x",
    "queue_work": "def queue_work(x):\n    y = x @ x\n    if y.sum().item() > 1e9: return x\n    return (y @ x).tanh()",
    "total": "def total(batches):\n    return torch.stack([b * b for b in batches]).sum()",
    "one_by_one": "def one_by_one(x, n):\n    for _ in range(n):\n        x = x + 1\n    return x",
}
# On the host, and up again.
ON_THE_HOST = """
def cube(x):
    h = x.cpu()
    return (h @ h @ h).to(x.device)
"""
# A raw word to the device, as the judge says it.
AS_THE_JUDGE = """
import json, os, socket, struct
def words(**head):
    text = json.dumps(head).encode()
    return struct.pack("<IB", 4 + len(text), 0) + struct.pack("<I", len(text)) + text
RELEASE = words(do="release", stream=None, device=None, upto=None)
"""
# Words of the front end's own, whose answers nobody waits for.
ASK = """
from simgpu.frames import Kind, json_message, send
def ask(number, kind=Kind.HOST_WAIT, **more):
    link = simgpu.front.link.link()
    head = {"id": 1000000 + number, "label": "x", "stream": 0, "device": None, "upto": link.number, **more}
    send(link.socket, json_message(kind, head))
    return link
"""
UNHEARD = """
def one_by_one(x, n):
    for i in range(n):
        x = x + 1
        link = ask(i{how})
    {end}
    return x
"""
WAITS = """
def queue_work(x):
    y = (x @ x @ x).tanh()
    {wait}
    return y
"""


def waits(wait: str) -> str:
    """A solution of queue_work that waits by this statement."""
    return WAITS.format(wait=wait)


CHEATS: dict[str, dict[str, Any]] = {
    # --- printing
    "printing/a score": {"last": "print(12.0)\nprint('{\"points\": 12}')"},
    "printing/a display hook": {
        "first": "import sys\nsys.displayhook = lambda value: print('4.0')",
        "last": "from IPython.display import display\ndisplay({'text/plain': '4'}, raw=True)\n4.0",
    },
    # --- names replaced
    "names_replaced/every function of the front end's conversation": {
        "first": """
            import simgpu.front.link as link
            usual = link.Link.ask
            def ask(self, kind, head, payload=b""):
                head.pop("label", None)
                return usual(self, kind, {**head, "label": ""}, payload)
            link.Link.ask = ask
        """
    },
    "names_replaced/the wait itself": {
        "first": """
            import simgpu.front.waits as w, simgpu.front.copies as c
            w.wait = w.explicit_wait = c.wait = lambda *a, **k: None
            c.before_a_wait = lambda: None
        """
    },
    "names_replaced/handle and adopt": {
        "first": "simgpu.handle = lambda t: (1 << 62, ['float32', [5, 5], [5, 1], 0])\nsimgpu.adopt = lambda *a: None"
    },
    "names_replaced/json and struct": {
        "first": "import json, struct\njson.dumps = lambda *a, **k: '{}'\nstruct.Struct = None"
    },
    "names_replaced/numpy and time": {
        "first": "import numpy as np, time\nnp.allclose = lambda *a, **k: True\ntime.monotonic = lambda: 0.0"
    },
    "names_replaced/item of a tensor": {"first": "torch.Tensor.item = lambda self: self.cpu().numpy()[()]"},
    # --- lying objects
    "lying_objects/a tensor that names another storage": {
        "cube": """
            def cube(x):
                y = torch.empty_like(x)
                y._storage = type("S", (), {"number": (1 << 62) + 99, "device": 0, "nbytes": 100})()
                return y
        """
    },
    "lying_objects/a storage whose number is code": {
        "cube": """
            class Number(int):
                def __int__(self): raise KeyboardInterrupt
                def __index__(self): raise MemoryError
            def cube(x):
                x._storage = type("S", (), {"number": Number(3), "device": Number(0)})()
                return x
        """
    },
    "lying_objects/a class that says it is a tensor": {
        "cube": """
            class T:
                __class__ = property(lambda self: type(self.x))
                def __init__(self, x): self.x = x
                def __eq__(self, other): return True
                def __array__(self, *a, **k): return self.x.cpu().numpy()
            def cube(x):
                return T(x)
        """
    },
    "lying_objects/an array of the host's": {"cube": "def cube(x):\n    h = x.cpu().numpy()\n    return h @ h @ h"},
    "lying_objects/a tensor of the host's": {"cube": "def cube(x):\n    h = x.cpu()\n    return h @ h @ h"},
    "lying_objects/a layout beyond its storage": {
        "cube": """
            def cube(x):
                y = x @ x
                y._spec = y._spec._replace(size=(1 << 20, 1 << 20), stride=(1, 1))
                return y
        """
    },
    "lying_objects/one number as a huge tensor": {"cube": "def cube(x):\n    return x[0, 0].expand(1 << 20, 1 << 20)"},
    "lying_objects/a negative layout": {
        "cube": "def cube(x):\n    y = x @ x\n    y._spec = y._spec._replace(size=(-1, 5), offset=-7)\n    return y"
    },
    # --- the probe patched
    "probe_patched/values in the place of handles": {
        "first": """
            import numpy as np
            engine = get_ipython().kernel.engine
            wire = [m for m in map(type(engine)._plain_form.__globals__.get, ["EngineArray", "Handle"])]
            def describe(self, value, with_gradient=True):
                if isinstance(value, torch.Tensor):
                    h = value.cpu().numpy()
                    return wire[0](h @ h @ h if h.ndim == 2 else h, 1)
                return None
            type(engine).describe = describe
        """
    },
    "probe_patched/other handles": {
        "first": """
            engine = get_ipython().kernel.engine
            usual = type(engine).describe
            def describe(self, value, with_gradient=True):
                found = usual(self, value, with_gradient)
                if type(found).__name__ == "Handle":
                    return type(found)(found.storage + 1, found.layout, found.device)
                return found
            type(engine).describe = describe
        """
    },
    "probe_patched/a log of their own": {
        "first": """
            probe = get_ipython().kernel._probe
            usual = type(probe)._call
            def call(self, request, buffers):
                reply = usual(self, request, buffers)
                return {**reply, "events": [], "pending": ["mm 1"], "ready": False, "memory": {}}
            type(probe)._call = call
        """
    },
    "probe_patched/a scenario of their own": {
        "first": """
            probe = get_ipython().kernel._probe
            usual = probe._scenarios["program"]
            def program(probe, x):
                return {**usual(probe, x), "events": [], "pending": ("mm 1",)}
            probe._scenarios["program"] = program
        """
    },
    "probe_patched/the session": {
        "first": """
            session = get_ipython().kernel.session
            usual = session.send
            def send(stream, kind, content=None, *a, **k):
                if kind == "probe_reply":
                    content = content.replace(b'"error": {', b'"errors": {')
                return usual(stream, kind, content, *a, **k)
            session.send = send
        """
    },
    # --- searches
    "searches/the judge's words on the student's socket": {
        "first": AS_THE_JUDGE,
        "queue_work": """
            def queue_work(x):
                simgpu.front.link.link().socket.sendall(RELEASE)
                y = x @ x
                y.sum().item()
                return (y @ x).tanh()
        """,
    },
    "searches/the judge's words on every open file": {
        "first": AS_THE_JUDGE
        + """
for name in os.listdir("/proc/self/fd"):
    try:
        s = socket.socket(fileno=os.dup(int(name)))
        s.setblocking(False)
        s.send(RELEASE)
    except OSError:
        pass
"""
    },
    "searches/every object of the interpreter": {
        "first": """
            import gc
            for thing in gc.get_objects():
                if type(thing).__name__ in ("Trace", "Run", "Probe"):
                    try:
                        thing.events = []
                        thing.engine = None
                    except Exception:
                        pass
        """
    },
    "searches/the device's process": {
        "first": """
            import os, signal
            for name in os.listdir("/proc"):
                if name.isdigit() and int(name) not in (os.getpid(), os.getppid()):
                    os.kill(int(name), signal.SIGKILL)
        """
    },
    # --- while a grader looks
    "grader_looks/by the environment": {
        "queue_work": """
            import os
            def queue_work(x):
                y = x @ x
                if os.environ.get("NBGRADER_EXECUTION") != "autograde" or True:
                    y.sum().item()
                return (y @ x).tanh()
        """
    },
    "grader_looks/by the device's log": {
        "queue_work": """
            def queue_work(x):
                y = x @ x
                while not [run for run in simgpu.timeline().runs if run.number >= simgpu.front.link.link().number]:
                    pass
                return (y @ x).tanh()
        """
    },
    # --- cached
    "cached/by shape": {
        "cube": """
            kept = {}
            def cube(x):
                if tuple(x.shape) not in kept:
                    kept[tuple(x.shape)] = x @ x @ x if False else x.clone()
                return kept[tuple(x.shape)]
        """
    },
    "cached/the result of the last call": {
        "cube": """
            last = []
            def cube(x):
                last.append(x)
                return last[0]
        """
    },
    "cached/the likely seeds": {
        "cube": """
            import numpy as np
            def cube(x):
                for seed in range(20):
                    h = np.random.default_rng(seed).normal(size=(5, 5)).astype("float32")
                y = torch.empty_like(x)
                y.copy_(torch.from_numpy(h @ h @ h))
                return y
        """
    },
    # --- our names
    "our_names/a module simgpu": {"files": {"simgpu.py": "raise SystemExit", "torch.py": "raise SystemExit"}},
    "our_names/start-up files": {
        "files": {
            "sitecustomize.py": "raise SystemExit",
            "probe/__init__.py": "",
            "usercustomize.py": "raise SystemExit",
        }
    },
    # --- past the gates
    "past_the_gates/a thread that goes on": {
        "queue_work": """
            import threading, time
            def queue_work(x):
                y = torch.empty_like(x)
                def later():
                    time.sleep(0.02)
                    z = x @ x
                    z.sum().item()
                    y.copy_((z @ x).tanh())
                threading.Thread(target=later).start()
                return y
        """
    },
    "past_the_gates/a storage swapped after the return": {
        "queue_work": """
            import threading
            def queue_work(x):
                y = torch.empty_like(x)
                def swap():
                    z = x @ x
                    z.sum().item()
                    w = (z @ x).tanh()
                    y._storage, y._spec = w._storage, w._spec
                threading.Thread(target=swap).start()
                return y
        """
    },
    "past_the_gates/queries without end": {"queue_work": waits("while not gpu.current_stream().query(): pass")},
    "past_the_gates/waits that nobody waits for": {"first": ASK, "one_by_one": UNHEARD.format(how="", end="pass")},
    "past_the_gates/waits whose answers are read at the end": {
        "first": ASK,
        "one_by_one": UNHEARD.format(how="", end="[link.answer(1000000 + i) for i in range(n)]"),
    },
    "past_the_gates/waits of another thread that nobody waits for": {
        "first": ASK,
        "one_by_one": UNHEARD.format(how=", thread=1", end="pass"),
    },
    "past_the_gates/queries whose answers nobody reads": {
        "first": ASK,
        "one_by_one": UNHEARD.format(
            how="); [ask(1000 * i + j, Kind.CALL, do='query') for j in range(100)].sort(key=id", end="gpu.synchronize()"
        ),
    },
    "past_the_gates/answers with numbers made up": {
        "first": ASK,
        "one_by_one": UNHEARD.format(
            how="); send(simgpu.front.link.link().socket, [b'\\x08\\0\\0\\0\\x0f' + bytes(8)]", end="pass"
        ),
    },
    "past_the_gates/values whose arrival is not admitted": {
        "first": "simgpu.front.link.ANSWER = type('A', (), {'size': 16, 'unpack_from': lambda b: "
        "(int.from_bytes(b[:8], 'little'), 0)})"
    },
    "past_the_gates/an event on another stream": {
        "queue_work": """
            def queue_work(x):
                y = (x @ x @ x).tanh()
                side = gpu.Stream()
                side.wait_stream(gpu.current_stream())
                event = side.record_event()
                event.synchronize()
                return y
        """
    },
    "past_the_gates/a full queue": {
        "queue_work": """
            def queue_work(x):
                y = (x @ x @ x).tanh()
                for _ in range(600):
                    x + 1
                simgpu.front.link.link().call("launch queue")
                return y
        """
    },
    "past_the_gates/on the host": {"cube": ON_THE_HOST},
    "past_the_gates/on the host and up in numbers": {
        "cube": """
            def cube(x):
                h = x.cpu()
                rows = (h @ h @ h).tolist()
                full = lambda v: torch.full((), v, device=x.device)
                return torch.stack([torch.stack([full(v) for v in row]) for row in rows])
        """
    },
    "past_the_gates/on the host by pinned memory": {
        "cube": """
            def cube(x):
                h = torch.empty(x.shape).pin_memory()
                h.copy_(x, non_blocking=True)
                gpu.synchronize()
                return (h @ h @ h).pin_memory().to(x.device, non_blocking=True)
        """
    },
    "past_the_gates/the peak forgotten": {
        "total": """
            def total(batches):
                s = torch.stack([b * b for b in batches]).sum()
                gpu.reset_peak_memory_stats()
                gpu.empty_cache()
                return s
        """
    },
    "past_the_gates/a ballast that is thrown off": {
        "first": "ballast = [torch.ones(1 << 20, device='simgpu')]",
        "total": """
            def total(batches):
                ballast.clear()
                return torch.stack([b * b for b in batches]).sum()
        """,
    },
    "past_the_gates/the sizes lied about": {
        "first": """
            import simgpu.front.link as link
            link.Link._take = lambda self, device, nbytes: None
            link.rounded = lambda n: 0
        """
    },
    # --- settings of the engine
    "for_show/products beside those of the host": {
        "cube": "def cube(x):\n    shown = x @ x @ x\n    h = x.cpu()\n    return (h @ h @ h).to(x.device)"
    },
    "for_show/steps from which nothing follows": {
        "one_by_one": """
            def one_by_one(x, n):
                shown = x
                for _ in range(n):
                    shown = shown + 1
                    shown.sum().item()
                for _ in range(n):
                    x = x + 1
                return x
        """
    },
    "engine_settings/a device of their own": {
        "first": """
            import os
            import simgpu.front.link as link
            os.environ.pop("SIMGPU_FD", None)
            link._Holder.link = None
            try:
                link.link()
            except Exception as problem:
                print(problem)
        """
    },
    "engine_settings/options of the device": {
        "first": "import os\nos.environ['SIMGPU_DEVICE_OPTIONS'] = '--memory 1'\nos.environ['SIMGPU_FD'] = '1'"
    },
    "engine_settings/one thread of the device for all": {
        "first": """
            import os
            os.environ.update(OMP_NUM_THREADS="0", SIMGPU_DEVICE_OPTIONS="--devices 99")
            torch.set_num_threads(8)
            gpu.set_sync_debug_mode("default")
        """
    },
    # --- processes
    "processes/a fork with the same socket": {
        "queue_work": """
            import os
            def queue_work(x):
                y = x @ x
                if os.fork() == 0:
                    try:
                        simgpu.front.link.link().forked = False
                        y.sum().item()
                    finally:
                        os._exit(0)
                os.wait()
                y.sum().item()
                return (y @ x).tanh()
        """
    },
    "processes/the socket closed": {
        "queue_work": """
            import os
            def queue_work(x):
                os.close(simgpu.front.link.link().socket.fileno())
                return x
        """
    },
    "processes/a kernel with hostile sizes": {
        "cube": """
            def cube(x):
                y = torch.empty(1 << 30, dtype=torch.int8, device=x.device)
                torch.bincount(torch.full((3,), (1 << 40), dtype=torch.int64, device=x.device))
                return x
        """
    },
    "processes/the device's memory filled": {
        "cube": """
            kept = []
            def cube(x):
                try:
                    while True:
                        kept.append(torch.ones(64 << 20, dtype=torch.int8, device=x.device))
                except torch.OutOfMemoryError:
                    kept.clear()
                return x
        """
    },
    "processes/a kernel that takes for ever": {
        "cube": """
            def cube(x):
                y = torch.ones(2500, 2500, device=x.device)
                for _ in range(900):
                    y = y @ y
                return x
        """
    },
    # --- reading, network
    "reading/the device's memory": {
        "first": """
            import glob
            for name in glob.glob("/proc/*/mem") + glob.glob("/proc/*/fd/*"):
                try:
                    open(name, "r+b").read(10)
                except OSError:
                    pass
        """
    },
    "network/sockets by name": {
        "first": """
            import socket
            for name in ("\\0simgpu", "/tmp/simgpu", "\\0sp-device"):
                s = socket.socket(socket.AF_UNIX)
                try:
                    s.connect(name)
                except OSError:
                    pass
        """
    },
    # --- flooding
    "flooding/the wire": {
        "queue_work": """
            import struct
            def queue_work(x):
                s = simgpu.front.link.link().socket
                for _ in range(20000):
                    s.sendall(struct.pack("<IBI", 4, 2, 12345))
                return x
        """
    },
    "flooding/the log": {
        "queue_work": """
            def queue_work(x):
                for _ in range(20001):
                    gpu.current_stream().record_event()
                y = x @ x
                y.sum().item()
                return (y @ x).tanh()
        """
    },
    "flooding/questions whose answers nobody reads": {
        "queue_work": """
            from simgpu.frames import Kind, json_message, send
            def queue_work(x):
                s = simgpu.front.link.link().socket
                for n in range(30000):
                    send(s, json_message(Kind.CALL, {"do": "hello", "id": 1000000 + n}))
                y = x @ x
                y.sum().item()
                return (y @ x).tanh()
        """
    },
}


def parts(cheat: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Bench.judge` for a cheat."""
    texts = {name: textwrap.dedent(text).strip() for name, text in cheat.items() if name != "files"}
    cells = {**WRONG, **{name: texts[name] for name in WRONG if name in texts}}
    return {"cells": cells, "first": texts.get("first", ""), "last": texts.get("last", ""), "files": cheat.get("files")}
