"""Programs for CUDA, as people write them, run on a machine without CUDA and as they are."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "cuda_programs").glob("*.py"))


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "", "OMP_NUM_THREADS": "1", **variables},
    )


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_a_program_for_cuda_runs_as_it_is(program: Path):
    done = run("-m", "simgpu.as_cuda", str(program))
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("simgpu: CUDA is simulated on this machine's processor (simulated GPU)\n")
    assert "Exception raised from" not in done.stderr  # of C++, with its frames


CARD = """
import warnings, torch, simgpu
warnings.simplefilter("ignore")
simgpu.as_cuda(card="T4")
simgpu.as_cuda()
simgpu.as_cuda(card="T4")
print(torch.cuda.get_device_name(), torch.cuda.get_device_properties(0).multi_processor_count)
print(round(torch.cuda.mem_get_info()[1] / 2**30, 2), torch.cuda.get_device_capability())
try:
    torch.empty(15 << 30, dtype=torch.uint8, device="cuda")
except torch.cuda.OutOfMemoryError as error:
    print(error)
"""


def test_a_card_has_its_memory_and_says_that_it_is_simulated():
    done = run("-c", CARD)
    assert done.returncode == 0, done.stderr
    name, memory, error = done.stdout.splitlines()
    assert name == "simulated Tesla T4 40"
    assert memory == "14.74 (0, 0)"
    assert "Tried to allocate 15.00 GiB" in error and "total capacity of 14.74 GiB" in error


ERRORS = """
import os, torch, simgpu
simgpu.as_cuda()
x = torch.ones(2, device="cuda")
def error(call):
    try:
        call()
    except RuntimeError as error:
        print(error)
error(lambda: torch.empty(1 << 45, dtype=torch.uint8, device="cuda"))
error(lambda: torch.empty(5 << 28, dtype=torch.uint8, pin_memory=True))
torch.cuda.set_sync_debug_mode("error")
error(x.tolist)
torch.cuda.set_sync_debug_mode("default")
print(torch.cuda.memory_summary().splitlines()[0], flush=True)
child = os.fork()
if not child:
    error(x.tolist)
    os.sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
"""


def test_errors_have_the_words_that_programs_look_for():
    done = run("-c", ERRORS)
    assert done.returncode == 0, done.stderr
    full, pinned, waits, summary, forked = done.stdout.splitlines()
    assert full.startswith("CUDA out of memory. Tried to allocate 32768.00 GiB. GPU 0 has a total capacity of ")
    assert pinned.startswith("CUDA out of memory. Tried to allocate 1.25 GiB of pinned host memory.")
    assert waits == "called a synchronizing CUDA operation"
    assert summary == "PyTorch CUDA memory summary, device ID 0"
    assert forked.startswith("Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, ")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("simgpu.as_cuda('Voodoo2')", "ValueError: simgpu: unknown card 'Voodoo2'. Choose one of T4, V100"),
        (
            "torch.ones(1, device='simgpu'); simgpu.as_cuda()",
            "RuntimeError: simgpu: the simulated device is already in use",
        ),
        (
            "simgpu.as_cuda(); simgpu.as_cuda('T4')",
            "RuntimeError: simgpu: this process has a simulated GPU, which as_cuda('T4') cannot change.",
        ),
        (
            "simgpu.as_cuda('T4'); simgpu.as_cuda('L4')",
            "RuntimeError: simgpu: this process has a simulated Tesla T4, which as_cuda('L4') cannot",
        ),
        ("torch.cuda.is_available = lambda: True; simgpu.as_cuda()", "RuntimeError: simgpu: this machine has a GPU"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_sentence(code: str, sentence: str):
    done = run("-c", f"import torch, simgpu; {code}")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(sentence)


DEFAULT = """
import numpy as np, torch, simgpu
from torch.utils.data import DataLoader
device, = sys.argv[1:]
simgpu.as_cuda() if device == "cuda" else simgpu.install()

def places():
    array, host = np.ones(2), torch.ones(2, device="cpu")
    made = [make(data) for make in (torch.tensor, torch.as_tensor, torch.asarray) for data in ([1, 2.0], 3, array)]
    made += [torch.as_tensor(host), torch.tensor([torch.ones(1), 2]), next(iter(DataLoader([1.0, 2.0, 3.0])))]
    assert torch.tensor([1.0], device="cpu").device.type == "cpu"
    return {str(tensor.device) for tensor in made}

with torch.device(device):
    print(*places())
with torch.device(device, 1):
    print(*places())
torch.set_default_device(device)
print(*places())
with torch.get_device_module(device).device(2):
    print(*places())
torch.set_default_device(None)
print(torch.tensor([1.0]).device)
"""


@pytest.mark.parametrize("device", ["cuda", "simgpu"])
def test_tensors_of_numbers_are_made_on_the_default_device(device: str):
    done = run("-c", f"import sys{DEFAULT}", device)
    assert done.stdout.split() == [f"{device}:{index}" for index in (0, 1, 0, 2)] + ["cpu"], done.stderr


EXPORT = """
import io, torch, simgpu
from torch._subclasses import FakeTensorMode
simgpu.as_cuda()

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(3, 2)
        self.register_buffer("shift", torch.arange(2.0))

    def forward(self, x):
        y = self.inner(x) + self.shift + torch.ones(2, device="cuda") + torch.ones(2, device=x.device)
        return y * 2 if x.is_cuda else y

net, x = Net().cuda(), torch.ones(4, 3, device="cuda")
batch = {0: torch.export.Dim("batch")}
for program in (torch.export.export(net, (x,)), torch.export.export(net, (x,), dynamic_shapes=(batch,))):
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    for made in (program, torch.export.load(file)):
        assert torch.equal(made.module()(x), net(x)) and made.module()(x).is_cuda
with FakeTensorMode():
    weight = torch.ones(3, 3, device="cuda", requires_grad=True)
    (weight @ weight).sum().backward()
    print(weight.grad.device, weight.is_cuda)
"""


def test_a_model_is_exported_with_its_device():
    done = run("-W", "ignore", "-c", EXPORT)
    assert (done.returncode, done.stdout) == (0, "cuda:0 True\n"), done.stderr[-2000:]


ATTENTION = """
import torch, simgpu
from torch.nn.attention.flex_attention import flex_attention
simgpu.as_cuda()
x = torch.ones(1, 1, 128, 16, device="cuda")
for attend in (flex_attention, torch.compile(flex_attention), torch.compile(flex_attention, fullgraph=True)):
    try:
        attend(x, x, x)
    except NotImplementedError as error:
        print(error)
try:
    print(torch.from_dlpack(x))
except NotImplementedError as error:
    print(error)
"""


def test_what_needs_a_graph_or_shared_memory_is_refused_in_a_sentence():
    done = run("-W", "ignore", "-c", ATTENTION)
    *attention, shared = done.stdout.splitlines()
    assert len(attention) == 3 and len({*attention}) == 1, done.stderr[-2000:]
    assert attention[0].startswith("simgpu: torch.compile(fullgraph=True) and flex_attention are not simulated")
    assert shared.startswith("simgpu: DLPack shares memory")


REFUSED = """
import re, types, torch, simgpu
from operator import attrgetter
from simgpu.front import cuda_gaps
simgpu.as_cuda()
WORKING = {"amp", "CudaError", "DeferredCudaCallError", "nccl.is_available", "graphs.is_current_stream_capturing"}
WORKING |= {f"{kind}Tensor" for kind in "BFloat16 Bool Byte Char Double Float Half Int Long Short".split()}
PRIVATE = {"jiterator._create_jit_fn", "jiterator._create_multi_output_jit_fn"}

def inner(name):
    "What a program can call of a name: of a module its own functions and classes."
    found = attrgetter(name)(torch.cuda)
    if not isinstance(found, types.ModuleType):
        return [name]
    own = [n for n, v in vars(found).items() if callable(v) and getattr(v, "__module__", "").startswith("torch.cuda")]
    return [said for said in (f"{name}.{n}" for n in own) if said in PRIVATE or "._" not in said]

def refused(call, said):
    try:
        call()
    except NotImplementedError as error:
        return f"{said} is not simulated: " in str(error)

called = 0
for name in cuda_gaps.REFUSED:
    module, _, last = name.rpartition(".")
    place = attrgetter(module)(torch.cuda) if module else torch.cuda
    if name in WORKING or not hasattr(place, last):
        continue
    for said in inner(name):
        if said in WORKING:
            continue
        called += 1
        short = said.rpartition(".")[2]
        if not refused(attrgetter(said)(torch.cuda), said if short not in cuda_gaps.REFUSED else short):
            print(said)
for place in (torch.cuda, torch.cuda.memory, torch.cuda.random, torch.cuda.streams, torch.cuda.nvtx):
    for name, value in vars(place).items():
        if not isinstance(value, types.FunctionType | type) or name == "_CudaDeviceProperties":
            continue
        for arguments in ([], [0], ["x"]):
            try:
                value(*arguments)
            except Exception as error:  # of C++, which lacks CUDA
                if re.search("'torch._C' has no|dummy base class|without CUDA|Stub. object", str(error)):
                    print(name, error)
with torch.cuda._DeviceGuard(1):
    assert torch.cuda.current_device() == 1
assert torch.cuda.current_device() == 0
properties = torch.cuda.get_device_properties(0)
for name in ("warp_size", "uuid", "L2_cache_size", "gcnArchName"):
    assert not hasattr(properties, name) and refused(lambda: getattr(properties, name), name)
assert torch.cuda.FloatTensor(2).is_cuda and torch.cuda.amp.autocast and not torch.cuda.nccl.is_available([])
assert not torch.cuda.graphs.is_current_stream_capturing() and called > 60, called
"""


def test_what_functions_md_refuses_is_refused_by_its_name():
    done = run("-W", "ignore", "-c", REFUSED)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


DEVICES = """
import torch, simgpu
simgpu.as_cuda()
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.accelerator.is_available())
print([torch.ones(1, device=f"cuda:{d}").device.index for d in range(torch.cuda.device_count())])
torch.ones(1, device=f"cuda:{torch.cuda.device_count()}")
"""


@pytest.mark.parametrize(
    ("named", "count"), [("0", 1), ("0,2", 2), ("3,-1,0", 1), ("GPU-8932f937,1", 2), ("0,1,2,3,4,5", 4)]
)
def test_there_are_as_many_devices_as_are_visible(named: str, count: int):
    done = run("-c", DEVICES, CUDA_VISIBLE_DEVICES=named)
    assert done.stdout == f"True {count} True\n{list(range(count))}\n", done.stderr
    assert done.stderr.endswith(f"invalid device ordinal {count}; there are {count} devices\n")


@pytest.mark.parametrize("named", ["", "-1"])
def test_without_a_visible_device_a_program_finds_no_gpu(named: str):
    done = run("-c", DEVICES, CUDA_VISIBLE_DEVICES=named)
    assert done.stdout == "False 0 False\n[]\n"
    first, *_, last = done.stderr.splitlines()
    assert first == "simgpu: CUDA_VISIBLE_DEVICES hides all devices: the program runs as without a GPU"
    assert "simgpu" not in last and ("CUDA" in last or "NVIDIA" in last)  # a CUDA build names the missing driver


def test_a_program_gets_its_arguments_and_its_folder(tmp_path: Path):
    (tmp_path / "beside.py").write_text("word = 'found'")
    (tmp_path / "program.py").write_text("import sys, beside; print(sys.argv[1:], beside.word, __name__)")
    done = run("-m", "simgpu.as_cuda", "--card", "T4", str(tmp_path / "program.py"), "--card", "x", "-v")
    assert done.stdout == "['--card', 'x', '-v'] found __main__\n", done.stderr
    assert "(simulated Tesla T4)" in done.stderr
