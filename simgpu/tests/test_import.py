"""What an import does, and what it says where it cannot work."""

import subprocess
import sys
from pathlib import Path

import pytest

from simgpu import versions

CUDA_IS_WANTED = """
import torch
torch.cuda.is_available = lambda: True
import simgpu
from simgpu.front import link
print(torch._C._get_privateuse1_backend_name(), hasattr(torch, "simgpu"), link.is_started())
before = torch.Tensor.to, torch.ones, torch.Stream, torch.Tensor.__repr__
assert before == (torch._C.TensorBase.to, torch._C._VariableFunctions.ones, torch._C.Stream, before[3])
simgpu.install()
print(torch._C._get_privateuse1_backend_name(), hasattr(torch, "simgpu"), torch.ones(2, device="simgpu").tolist())
"""


def test_nothing_happens_where_cuda_is_wanted_until_it_is_asked_for():
    done = subprocess.run(
        [sys.executable, "-c", CUDA_IS_WANTED],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "privateuseone False False\nsimgpu True [1.0, 1.0]\n"


def test_without_pytorch_an_import_says_so_in_one_sentence():
    command = [sys.executable, "-c", "import sys; sys.modules['torch'] = None; import simgpu"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path), "PATH": ""})
    said = "ImportError: simgpu needs PyTorch, which is not installed: pip install torch"
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (
            "raise OSError('[WinError 126] fbgemm.dll\\nmore')",
            r"does not load here \(\[WinError 126\] fbgemm.dll\): rein",
        ),
        ("import libtorch_cuda_linalg_that_is_missing", "No module named 'libtorch_cuda_linalg_that_is_missing'"),
        ("x = 1", r"torch\.py has the same name, torch: rename it$"),
    ],
)
def test_a_pytorch_that_does_not_load_is_told_in_one_sentence(module: str, said: str, tmp_path: Path, monkeypatch):
    (tmp_path / "torch.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch")
    with pytest.raises(ImportError, match=said):
        versions.check()


def test_a_system_that_cannot_work_is_told_in_one_sentence(monkeypatch):
    monkeypatch.setattr(sys, "maxsize", (1 << 31) - 1)
    with pytest.raises(ImportError, match="needs a 64-bit Python, and this one has 32 bits: install the 64-bit build"):
        versions.check()
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ImportError, match="a second process, which Python in a browser cannot start"):
        versions.check()


WITHOUT_COMPILER = """
import sys
import torch, simgpu
from simgpu import operations
from simgpu.device import checks

def loss(device):
    net = torch.nn.Linear(2, 3).to(device)
    net(torch.ones(4, 2, device=device) + 1).log_softmax(1).sum().backward()
    return net.weight.grad.sum().item()

loss("simgpu")
grad, scores = torch.ones(()), torch.ones(4, 3)
labels = torch.zeros(4, dtype=torch.int64)
backward = operations.overload("aten.nll_loss_backward.default")
checks.checked(backward, [grad, scores, labels, None, 1, -100, torch.tensor(4.0)], {})
print("torch._dynamo" in sys.modules)
import torch._dynamo
loss("simgpu")
print(torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2)).tolist())
"""


def test_no_meta_kernel_loads_the_compiler_and_it_works_once_a_program_does():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "False\n[2.0, 2.0]\n"
