# A class, and contextlib.suppress.
import contextlib


class Program:
    def __init__(self, make_lines):
        self.make_lines = make_lines

    def run(self, blocking):
        """The number of the first line that raises."""
        with contextlib.suppress(Exception):
            torch.accelerator.synchronize()
        here = None
        with contextlib.suppress(Exception):
            for here, line in enumerate(self.make_lines()):
                line()
                if blocking:
                    torch.accelerator.synchronize()
            here = None
        return here


def late_errors(make_lines):
    program = Program(make_lines)
    answer = [program.run(blocking) for blocking in (False, True)]
    with contextlib.suppress(Exception):
        gpu.synchronize()
    return answer
