# run, copy_to_cpu, one waitall.
def run_and_copy(x):
    y = run(x)
    copies = copy_to_cpu(y)
    nd.waitall()
    return copies
