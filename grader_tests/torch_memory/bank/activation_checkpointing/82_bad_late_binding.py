# A lambda sees the last segment when it is computed again.
# breaks: 2
# kills: test_at_most_twice, test_dropout, test_gradients, test_list_stays, test_on_the_device, test_output, test_peak, test_x_stays
# misconception: checkpoint-once
def checkpointed(blocks, x, budget):
    s = int(len(blocks) ** 0.5)
    for start in range(0, len(blocks), s):
        segment = nn.Sequential(*blocks[start : start + s])
        x = checkpoint(lambda value: segment(value), x, use_reentrant=False)
    return x
