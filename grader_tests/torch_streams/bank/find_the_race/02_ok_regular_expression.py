# A regular expression finds the frames in their order; an event in mended.
import re


def blamed(lines, report):
    later, earlier = re.findall(r'/step\.py", line (\d+),', report)[:2]
    return int(earlier), int(later)


def mended(x, w):
    side, done = gpu.Stream(), gpu.Event()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        a = x @ w * 2
        done.record()
    b = x.tanh()
    done.wait()
    return a.add(b)
