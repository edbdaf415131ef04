"""PyTorch's own class behind the network's forward."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(2)})
cheat.cell(
    "ddp",
    """
def ddp(net):
    from torch.nn.parallel import DistributedDataParallel

    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = net
            self.call = net.forward

        def forward(self, x):
            return self.call(x)

    parallel = DistributedDataParallel(Plain())
    net.forward = lambda x: parallel(x)
    return lambda: None
""",
)
