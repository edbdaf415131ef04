# relu is cut off at 6.
# breaks: 2
# kills: test_norm_and_relu
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(),
            nn.HybridLambda(lambda F, x: F.clip(x, 0, 6)))
    for i, channels in enumerate((64, 128, 256, 512)):
        net.add(Residual(channels, use_1x1conv=i > 0, strides=2 if i else 1), Residual(channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
