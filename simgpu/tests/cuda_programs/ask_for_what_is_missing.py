"""What a simulated device has not is refused in words, and a program may ask first."""

import torch


def refusal(call):
    try:
        call()
    except NotImplementedError as error:
        return str(error)
    raise AssertionError("it was not refused")


assert "torch.cuda.CUDAGraph is not simulated" in refusal(torch.cuda.CUDAGraph)
assert "torch.cuda.utilization is not simulated: there is no hardware" in refusal(torch.cuda.utilization)
assert "nested tensors" in refusal(lambda: torch.nested.nested_tensor([[1.0]], device="cuda", layout=torch.jagged))
assert "cuda_stream" in refusal(lambda: torch.cuda.Stream().cuda_stream)
assert "join=False" in refusal(lambda: torch.multiprocessing.spawn(print, nprocs=1, join=False))
assert not torch.backends.cudnn.is_available() and torch.backends.cudnn.version() is None
assert not torch.cuda.is_current_stream_capturing() and not torch.cuda.is_tf32_supported()
net = torch.compile(torch.nn.Linear(3, 3).cuda(), backend="eager")
assert net(torch.ones(2, 3, device="cuda")).is_cuda
print(torch.accelerator.current_accelerator(), torch.accelerator.is_available())
