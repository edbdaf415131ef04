# Gluon's splitting, told to take uneven batches.
from mxnet.gluon import utils as gutils


def split_and_load(data, ctx):
    shards = gutils.split_data(data, num_slice=len(ctx), even_split=False)
    for i, shard in enumerate(shards):
        shards[i] = shard.as_in_context(ctx[i])
    return shards
