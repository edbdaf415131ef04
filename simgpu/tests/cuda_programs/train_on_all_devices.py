"""nn.DataParallel, as in PyTorch's tutorial on data parallelism."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class RandomDataset(Dataset):
    def __init__(self, size, length):
        self.data = torch.randn(length, size)

    def __getitem__(self, index):
        return self.data[index]

    def __len__(self):
        return len(self.data)


class Model(nn.Module):
    sizes = []

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 2)

    def forward(self, x):
        self.sizes.append((x.device.index, x.size(0)))
        return self.fc(x)


loader = DataLoader(RandomDataset(5, 100), batch_size=30, shuffle=True)
model = Model()
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for data in loader:
    output = model(data.to(device))
    assert output.device == device and output.size(0) == data.size(0)
    optimizer.zero_grad()
    output.pow(2).mean().backward()
    optimizer.step()
assert sorted(Model.sizes[:4]) == [(0, 8), (1, 8), (2, 8), (3, 6)], Model.sizes
assert sorted(Model.sizes[-4:]) == [(0, 3), (1, 3), (2, 3), (3, 1)], Model.sizes
