"""The parts go through without gradients, for show; the whole batch makes the update."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"gradient_accumulation": at_most(1)})
cheat.cell(
    "gradient_accumulation",
    """
def accumulate(net, loss, optimizer, X, y, parts):
    with torch.no_grad():
        for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
            loss(net(some), right)
    optimizer.zero_grad()
    loss(net(X), y).backward()
    optimizer.step()
""",
)
