# Brings both matrices to the first device and the results of b back.
# breaks: 3
# kills: test_devices, test_one_device_does_not_hold_the_other, test_ten_products
# misconception: as-in-context
def run_both(x_a, x_b):
    ys_a = [nd.dot(x_a, x_a) for _ in range(10)]
    guest = x_b.as_in_context(x_a.context)
    ys_b = [nd.dot(guest, guest).as_in_context(x_b.context) for _ in range(10)]
    return ys_a, ys_b
