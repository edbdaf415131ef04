# A print of the result was left in.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    print('sum:', data[0])
    for i in range(1, len(data)):
        data[0].copyto(data[i])
