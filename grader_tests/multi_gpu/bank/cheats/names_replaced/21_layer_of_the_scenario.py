"""nn.Dense is replaced, of which the scenario makes its network: that one starts with the right distribution by itself."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"replicated_init": at_most(1.78)},
    known="scenarios use the layers of Gluon, by the names of its modules",
)
cheat.cell("replicated_init", '''
plain_dense = nn.Dense


class Dense(plain_dense):
    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, weight_initializer=init.Normal(0.01), **keywords)


nn.Dense = Dense


def replicated_init(net, ctx):
    net.initialize(ctx=ctx, force_reinit=True)
''')
