# As in the timing example: nothing is returned.
# breaks: 1
# misconception: reads-the-task
def run_and_copy(x):
    y = run(x)
    copy_to_cpu(y)
    nd.waitall()
