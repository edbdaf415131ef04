# A data loader of tensors on the device makes the parts.
from torch.utils.data import DataLoader, TensorDataset


def accumulate(net, loss, optimizer, X, y, parts):
    whole = len(X)
    loader = DataLoader(TensorDataset(X, y), batch_size=-(-whole // parts), shuffle=False)
    optimizer.zero_grad()
    for inputs, targets in loader:
        share = inputs.shape[0] / whole
        loss(net(inputs), targets).mul(share).backward()
    optimizer.step()
