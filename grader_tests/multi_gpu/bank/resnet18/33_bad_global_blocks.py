# The blocks are made once, outside of the function; only the head is new.
# breaks: 8
# kills: test_new_network
# misconception: every-call-starts-anew
body = nn.HybridSequential()
body.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
body.add(Residual(64), Residual(64))
for channels in (128, 256, 512):
    body.add(Residual(channels, use_1x1conv=True, strides=2), Residual(channels))


def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(body, nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
