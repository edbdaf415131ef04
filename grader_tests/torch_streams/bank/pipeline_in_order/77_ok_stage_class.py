# A class for a stage, and generators that are put after each other.
class Stage:
    def __init__(self, function):
        self.function, self.stream = function, gpu.Stream()

    def __call__(self, pairs):
        for tensor, ready in pairs:
            self.stream.wait_event(ready)
            with gpu.stream(self.stream):
                result = self.function(tensor)
            tensor.record_stream(self.stream)
            yield result, self.stream.record_event()


def pipeline_in_order(first, second, xs):
    here = gpu.current_stream()
    start = here.record_event()
    results = []
    for result, done in Stage(second)(Stage(first)((x, start) for x in xs)):
        here.wait_event(done)
        result.record_stream(here)
        results.append(result)
    return results
