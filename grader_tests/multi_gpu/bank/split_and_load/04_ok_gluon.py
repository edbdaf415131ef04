# The function of Gluon, which raises ValueError for an uneven batch.
from mxnet import gluon


def split_and_load(data, ctx):
    return gluon.utils.split_and_load(data, ctx)
