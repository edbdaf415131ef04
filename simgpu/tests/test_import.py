"""What an import does, each in a process of its own."""

import subprocess
import sys

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
