# Dropout before the last layer.
# breaks: 5
# kills: test_scores_from_means
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.Sequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
    for i, channels in enumerate((64, 128, 256, 512)):
        net.add(Residual(channels, use_1x1conv=i > 0, strides=2 if i else 1), Residual(channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dropout(0.5), nn.Dense(num_classes))
    return net
