# Waits until all gradients are there, and adds them up then.
# breaks: 7
# kills: test_asynchronous
# misconception: hidden-waits
def allreduce(data):
    for array in data:
        array.wait_to_read()
    for array in data[1:]:
        data[0][:] = data[0] + array.copyto(data[0].context)
    for array in data[1:]:
        data[0].copyto(array)
