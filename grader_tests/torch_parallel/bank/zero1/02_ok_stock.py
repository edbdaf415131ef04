# PyTorch's ZeroRedundancyOptimizer.
from torch.distributed.optim import ZeroRedundancyOptimizer


def zero1(params, lr):
    return ZeroRedundancyOptimizer(params, optimizer_class=torch.optim.Adam, lr=lr).step
