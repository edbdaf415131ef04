# Everybody gets a copy of everything, and adds it up for himself in one operation.
def allreduce(data):
    if len(data) < 2:
        return
    inbox = [[other.copyto(mine.context) for other in data] for mine in data]
    for mine, letters in zip(data, inbox):
        nd.add_n(*letters, out=mine)
