# Every result is one and the same array, filled in last.
# assignment: auto_parallel
# deserves: run<=0.625
# %% cell run
def run(x):
    return [nd.dot(x, x)] * 10
