# A ContextDecorator with slots that keeps a stack of starts: one object may be entered twice.
from contextlib import ContextDecorator
from time import monotonic


class Benchmark(ContextDecorator):
    __slots__ = "words", "starts"

    def __init__(self, prefix=None):
        self.words, self.starts = prefix or "Done", []

    def __enter__(self, *, clock=monotonic):
        self.starts += [clock()]
        return self

    def __exit__(self, kind, error, trace):
        spent = monotonic() - self.starts.pop()
        print(self.words, ": ", format(spent, ".4f"), " sec", sep="")
        return kind is ImportWarning and False
