# Gluon's own function; it raises a ValueError if the batch cannot be divided.
from mxnet.gluon.utils import split_and_load as by_gluon


def split_and_load(data, ctx):
    return list(by_gluon(data, list(ctx), batch_axis=0, even_split=True))
