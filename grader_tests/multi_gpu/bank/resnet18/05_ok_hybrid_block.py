# A HybridBlock; the pooling is an operator.
class _Net(nn.HybridBlock):
    def __init__(self, num_classes, **kwargs):
        super().__init__(**kwargs)
        self.conv = nn.Conv2D(64, kernel_size=3, strides=1, padding=1)
        self.bn = nn.BatchNorm(axis=1)
        self.groups = nn.HybridSequential()
        for i in range(4):
            group = nn.HybridSequential()
            first = dict(use_1x1conv=True, strides=2) if i else {}
            group.add(Residual(64 * 2 ** i, **first))
            group.add(Residual(64 * 2 ** i))
            self.groups.add(group)
        self.fc = nn.Dense(num_classes)

    def hybrid_forward(self, F, x):
        x = F.Activation(self.bn(self.conv(x)), act_type='relu')
        x = self.groups(x)
        return self.fc(F.Pooling(x, global_pool=True, pool_type='avg', kernel=(1, 1)))


resnet18 = _Net
