"""A thread makes the update later, with waits as it likes."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"gradient_accumulation": 0})
cheat.cell(
    "gradient_accumulation",
    """
def accumulate(net, loss, optimizer, X, y, parts):
    import threading

    def later():
        gpu.synchronize()
        optimizer.zero_grad()
        for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
            value = loss(net(some), right)
            value.item()
            (value * (len(some) / len(X))).backward()
        optimizer.step()

    threading.Thread(target=later, daemon=True).start()
""",
)
