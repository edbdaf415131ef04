# Each part but the last has round(n / k) examples: 3, 3, 4 for 10 on 3 devices, but 2, 2, 2, 4 for 10 on 4.
# breaks: 3
# kills: test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    k = len(devices)
    size = round(len(X) / k)
    cuts = [i * size for i in range(k)] + [len(X)]

    def send(whole):
        return [whole[a:b].pin_memory().to(d, non_blocking=True) for a, b, d in zip(cuts, cuts[1:], devices)]

    return send(X), send(y)
