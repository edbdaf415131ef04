# Looks at a result between the two.
# breaks: 4
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = run(x_a)
    print('first result:', ys_a[0])
    ys_b = run(x_b)
    return ys_a, ys_b
