"""Nothing is computed until backward; the output is a subclass that computes on the host."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": 0})
cheat.cell(
    "activation_checkpointing",
    """
class Late(torch.Tensor):
    def backward(self, *arguments, **others):
        self.blocks = None


def checkpointed(blocks, x, budget):
    inputs = x.cpu()
    weights = [[p.detach().cpu() for p in block.parameters()] for block in blocks]
    y = inputs.numpy()
    for (weight,) in weights:
        y = numpy.tanh(y @ weight.numpy().T)
    out = torch.tensor(y, device=x.device).as_subclass(Late)
    out.requires_grad_()
    return out
""",
)
