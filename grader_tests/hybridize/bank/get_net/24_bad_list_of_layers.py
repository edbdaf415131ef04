# A list is not a network.
# breaks: 1
# misconception: compiled-once
def get_net():
    return [
        nn.Dense(256, activation='relu'),
        nn.Dense(128, activation='relu'),
        nn.Dense(2),
    ]
