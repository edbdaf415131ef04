# Memory of side's is filled by the current stream, which does not know what side still does with it.
# breaks: 4
# kills: test_memory, test_value
# misconception: freed-and-still-read
def memory_reuse(x, work, side):
    here = gpu.current_stream()
    with gpu.stream(side):
        t = torch.empty_like(x)
    torch.mul(x, 2, out=t)
    side.wait_stream(here)
    with gpu.stream(side):
        return work(t)
