# Calls both stages once, and plays their operations again for all other inputs.
# breaks: 1, 4
# kills: test_value
# misconception: reads-the-task
from torch.utils._python_dispatch import TorchDispatchMode


class Recorder(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        self.calls.append((func, args, kwargs or {}, result))
        return result


def _play(calls, source, tensor):
    known, result = {id(source): tensor}, tensor
    for func, args, kwargs, before in calls:
        result = func(*[known.get(id(one), one) for one in args], **kwargs)
        known[id(before)] = result
    return result


def pipeline_in_order(first, second, xs):
    current, a, b = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    a.wait_stream(current)
    b.wait_stream(current)
    results, stages = [], None
    for x in xs:
        with gpu.stream(a):
            if stages is None:
                with Recorder() as one:
                    source = h = first(x)
            else:
                h = _play(one.calls, xs[0], x)
        h.record_stream(b)
        b.wait_event(a.record_event())
        with gpu.stream(b):
            if stages is None:
                with Recorder() as two:
                    results.append(second(h))
                stages = one, two
            else:
                results.append(_play(two.calls, source, h))
    current.wait_stream(b)
    return results
