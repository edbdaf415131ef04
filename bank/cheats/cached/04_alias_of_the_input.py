# Changes the input and gives it back, as if it were a result.
# assignment: async
# deserves: loops<=0.75
# %% cell loops
def synchronous_loop(x, steps):
    if steps:
        x += 1
        return x


asynchronous_loop = synchronous_loop
