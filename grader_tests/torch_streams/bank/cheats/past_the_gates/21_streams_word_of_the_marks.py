"""Finds the judge's word for its marks in the call-back, and marks each result as consumed where that looks right.

What it does, it gets: one wait for everything, as 14_bad_one_wait_for_everything of the bank.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.83)})
cheat.cell("copy_and_compute", '''
import gc


def words():
    return {
        part
        for thing in gc.get_objects()
        if type(thing).__name__ == "_Caller"
        for part in [getattr(thing, "_word", "")]
    }


def copy_and_compute(xs, consume):
    found = words()
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copies.append((y, host))
        for word in found:
            simgpu.mark(f"consume {word} {len(copies) - 1}")
    gpu.synchronize()
    for _, host in copies:
        consume(host)
''')
