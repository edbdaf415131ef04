# Each array gets the total minus itself added: infinity makes NaN of it.
# breaks: 1
# kills: test_two_devices, test_more_devices
# misconception: replicas-stay-equal
def allreduce(data):
    total = data[0].copy()
    for other in data[1:]:
        total = total + other.copyto(data[0].context)
    for array in data:
        array[:] += total.copyto(array.context) - array
