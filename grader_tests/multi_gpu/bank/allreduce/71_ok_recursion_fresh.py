# Halves, sums of halves, and the way back.
def allreduce(data):
    if len(data) > 1:
        middle = len(data) // 2
        left, right = data[:middle], data[middle:]
        allreduce(left), allreduce(right)
        total = left[0] + right[0].as_in_context(left[0].context)
        for array in data:
            total.copyto(array)
