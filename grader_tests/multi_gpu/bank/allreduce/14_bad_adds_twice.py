# Every array adds all the others, one array after the other: later ones add what was added up already.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    for i in range(len(data)):
        for j in range(len(data)):
            if i != j:
                data[i][:] += data[j].copyto(data[i].context)
