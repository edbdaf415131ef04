"""Ways of older programs: types of tensors, default types, numbers of devices."""

import torch
from torch import nn

x = torch.cuda.FloatTensor([1.0, 2.0])
assert x.is_cuda and x.type() == "torch.cuda.FloatTensor" and isinstance(x, torch.cuda.FloatTensor)
assert torch.cuda.LongTensor(2, 3).shape == (2, 3)
assert torch.ones(2).type(torch.cuda.HalfTensor).dtype == torch.half
assert x.type("torch.cuda.DoubleTensor").dtype == torch.double and not x.type(torch.FloatTensor).is_cuda
assert torch.device(0) == torch.device("cuda:0") == x.device and isinstance(x.device, torch.device)
assert str(torch.device("cpu")) == "cpu" and torch.ones(1, device=0).device == torch.device("cuda", 0)
torch.set_default_tensor_type("torch.cuda.FloatTensor")
assert torch.zeros(2).is_cuda
torch.set_default_tensor_type("torch.FloatTensor")
assert not torch.zeros(2).is_cuda
with torch.cuda.device_of(x), torch.cuda.device(1):
    assert torch.ones(1).cuda().get_device() == torch.cuda.current_device() == 1
with torch.cuda.amp.autocast():
    assert (x.view(1, 2) @ x.view(2, 1)).dtype == torch.half
assert torch.cuda.memory_cached() == torch.cuda.memory_reserved() > 0
parameter = nn.Parameter(torch.ones(3))
parameter.data = parameter.data.cuda()
(parameter * 2).sum().backward()
assert parameter.is_cuda and parameter.grad.is_cuda
parameter.data = parameter.data.cpu()
assert parameter.device.type == "cpu"
assert nn.LazyLinear(4).cuda()(torch.ones(2, 3).cuda()).shape == (2, 4)
assert x.new(2, 3, device="cuda:1").get_device() == 1 and x.new([1.0]).is_cuda
assert torch.ones(2).new_tensor([1.0], device="cuda").is_cuda and not x.new_zeros(2, device="cpu").is_cuda
print(x)
