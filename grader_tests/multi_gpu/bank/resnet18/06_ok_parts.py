# Three parts: head, body and tail; a print says what was built.
def resnet18(num_classes):
    head, body, tail = nn.Sequential(), nn.Sequential(), nn.Sequential()
    head.add(nn.Conv2D(64, kernel_size=3, padding=1))
    head.add(nn.BatchNorm(epsilon=1e-5), nn.Activation(activation='relu'))
    body.add(Residual(64), Residual(64))
    for channels in 128, 256, 512:
        body.add(Residual(channels, use_1x1conv=True, strides=2), Residual(channels))
    tail.add(nn.AvgPool2D(pool_size=4), nn.Dense(units=num_classes, activation=None))
    net = nn.Sequential()
    net.add(head, body, tail)
    print(net)
    return net
