# NumPy makes the texts, so they are numpy.str_, and all stages of gpipe are one list; 1F1B sorted by what begins first.
def gpipe(stages, microbatches):
    numbers = numpy.arange(microbatches).astype(str)
    return [list(numpy.concatenate([numpy.char.add("F", numbers), numpy.char.add("B", numbers)]))] * stages


def one_f_one_b(stages, microbatches):
    keyed = [
        sorted(
            [(m if m < stages - r else 2 * m - (stages - r) + 0.5, "F", m) for m in range(microbatches)]
            + [(2 * m + (stages - r) - 0.25, "B", m) for m in range(microbatches)]
        )
        for r in range(stages)
    ]
    return [[f"{kind}{m}" for _, kind, m in actions] for actions in keyed]
