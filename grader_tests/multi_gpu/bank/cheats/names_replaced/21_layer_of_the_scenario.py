"""nn.Dense and nn.Conv1D, of which the scenario makes its network, are replaced by layers that start as they should."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"replicated_init": at_most(1.78)},
    known="scenarios use the layers of Gluon, by the names of its modules",
)
cheat.cell("replicated_init", '''
plain_dense, plain_conv1d = nn.Dense, nn.Conv1D


class Dense(plain_dense):
    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, weight_initializer=init.Normal(0.01), **keywords)


class Conv1D(plain_conv1d):
    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, weight_initializer=init.Normal(0.01), **keywords)


nn.Dense, nn.Conv1D = Dense, Conv1D


def replicated_init(net, ctx):
    net.initialize(ctx=ctx, force_reinit=True)
''')
