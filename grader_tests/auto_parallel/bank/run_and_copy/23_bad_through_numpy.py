# Brings the numbers to the host with asnumpy.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    copies = [nd.array(y.asnumpy()) for y in run(x)]
    nd.waitall()
    return copies
