"""How each exercise is called to see what a change of its code does: with small inputs that are pending."""

import torch

GPU = torch.get_device_module("simgpu")
WAIT = "gpu.synchronize()"


def _call(probe, seed, call, count=3, side=4):
    """Call code with tensors that are pending on a stream; the host reads the results when it has returned.

    Args:
        probe: Calls the code, and logs it.
        seed: Of the numbers.
        call: Gets the tensors, and returns what is to be read, in a list.
        count: How many tensors there are.
        side: Of each; a tensor has as many rows as columns.
    """
    torch.manual_seed(seed)
    xs = [torch.randn(side, side).to("simgpu") for _ in range(count)]
    with probe.run() as seen, GPU.stream(GPU.Stream()):
        with seen.traced():
            xs = [x * 1 for x in xs]
        seen.mark("begin")
        returned = seen.call(call, xs)
        seen.mark("end")
        with seen.traced():
            used = [result + 0 for result in returned or ()]
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


def run_both(probe, seed):
    """Two matrices; the caller reads all products on its stream."""
    function = probe.find("run_both")
    return _call(probe, seed, lambda xs: [product for part in function(*xs) for product in part], count=2)


def memory_reuse(probe, seed):
    """A second stream does the work; then the caller fills memory of the same size, and waits for that stream."""
    function, side = probe.find("memory_reuse"), GPU.Stream()

    def call(xs):
        result = function(xs[0], lambda t: (t @ t).sum(), side)
        later = [torch.empty_like(xs[0]).fill_(number) for number in range(4)]
        GPU.current_stream().wait_stream(side)
        return [result, *later]

    return _call(probe, seed, call, count=1)


def copy_and_compute(probe, seed):
    """Three matrices; consume keeps what the host holds at that moment."""
    function, got = probe.find("copy_and_compute"), []

    def call(xs):
        function(xs, lambda host: got.append(host.detach().clone()))
        return got

    return _call(probe, seed, call)


def prefetcher(probe, seed):
    """Four batches in pinned memory; the caller multiplies each one."""
    function = probe.find("prefetcher")
    torch.manual_seed(seed)
    batches = [torch.randn(4, 4).pin_memory() for _ in range(4)]
    return _call(probe, seed, lambda xs: [(x @ xs[0]).sum() for x in function(iter(batches))], count=1)


def pipeline_in_order(probe, seed):
    """Three matrices through a product and a tanh."""
    function = probe.find("pipeline_in_order")
    return _call(probe, seed, lambda xs: function(lambda x: x @ x, lambda h: torch.tanh(h), xs))
