# Looks at the first result before it goes on with the second device.
# breaks: 4
# kills: test_both_have_work_before_a_wait, test_one_device_does_not_hold_the_other, test_ten_products
# misconception: devices-in-turn
def run_both(x_a, x_b):
    ys_a = run(x_a)
    if not ys_a[0].size or (ys_a[0] == ys_a[-1]).min() < 1:
        raise ValueError("the products differ")
    return ys_a, run(x_b)
