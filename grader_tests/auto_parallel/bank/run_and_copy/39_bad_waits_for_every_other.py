# Waits for every other copy.
# breaks: 7
# kills: test_finished_at_return
# misconception: call-means-done
def run_and_copy(x):
    copies = copy_to_cpu(run(x))
    for copy in copies[::2]:
        copy.wait_to_read()
    return copies
