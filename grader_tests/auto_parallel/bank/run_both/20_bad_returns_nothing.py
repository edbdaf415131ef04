# Runs both as the timing example does, and returns nothing.
# breaks: 1
# misconception: reads-the-task
def run_both(x_a, x_b):
    run(x_a)
    run(x_b)
    nd.waitall()
