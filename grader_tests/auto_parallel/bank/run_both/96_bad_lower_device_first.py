# The list of the device with the lower number comes first.
# breaks: 1
# misconception: reads-the-task
def run_both(x_a, x_b):
    if x_a.context.device_id > x_b.context.device_id:
        x_a, x_b = x_b, x_a
    return run(x_a), run(x_b)
