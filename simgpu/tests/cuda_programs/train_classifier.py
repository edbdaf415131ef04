"""A convolutional network for pictures, trained, saved and loaded again."""

import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
print("training on", device)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.norm, self.head = nn.BatchNorm2d(8), nn.Linear(8 * 4 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.conv2(x))), 2)
        return self.head(x.flatten(1))


pictures = torch.randn(32, 3, 16, 16)
loader = DataLoader(TensorDataset(pictures, (pictures.mean((1, 2, 3)) > 0).long()), batch_size=8, shuffle=True)
net, losses = Net().to(device), []
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for _ in range(4):
    total = 0.0
    for inputs, labels in loader:
        inputs, labels = inputs.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(net(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    losses.append(total)
assert losses[-1] < losses[0]

path = os.path.join(tempfile.mkdtemp(), "net.pt")
torch.save(net.state_dict(), path)
again = Net().cuda()
again.load_state_dict(torch.load(path, map_location="cuda", weights_only=True))
net.eval(), again.eval()
with torch.no_grad():
    x = pictures[:4].cuda()
    assert torch.equal(net(x), again(x))
assert next(again.parameters()).is_cuda and net.head.weight.device == device
