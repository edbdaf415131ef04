# Brings the numbers to the host with asnumpy.
# breaks: one wait, at the end
# misconception: wait-in-the-loop
def run_and_copy(x):
    copies = [nd.array(y.asnumpy()) for y in run(x)]
    nd.waitall()
    return copies
