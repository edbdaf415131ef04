# The class ignores hybridize().
# breaks: no Python on the second call
# misconception: compiled-once
class FixedNet(BrokenNet):
    def hybridize(self, *args, **kwargs):
        print('this network cannot be hybridized')
