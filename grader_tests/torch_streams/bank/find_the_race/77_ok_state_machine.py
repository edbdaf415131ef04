# Reads the report line by line; tanh goes to the side stream instead of the product.
import os.path


def blamed(lines, report):
    found, trace = {}, None
    for line in report.splitlines():
        text = line.strip()
        if text.startswith("Access by"):
            trace = "later"
        elif text.startswith("Previous access"):
            trace = "earlier"
        elif text.startswith("Tensor was allocated"):
            trace = None
        elif text.startswith("File ") and trace:
            path, rest = text[len('File "'):].split('"', 1)
            if os.path.basename(path) == "step.py":
                found[trace] = int(rest.split("line")[1].split(",")[0])
    return found["earlier"], found["later"]


def mended(x, w):
    here, side = gpu.current_stream(), gpu.Stream()
    side.wait_event(here.record_event())
    with gpu.stream(side):
        b = x.tanh()
        done = side.record_event()
    a = (x @ w) * 2
    here.wait_event(done)
    b.record_stream(here)
    x.record_stream(side)
    return a.add(b)
