# The class ignores hybridize().
# breaks: 3
# misconception: compiled-once
class FixedNet(BrokenNet):
    def hybridize(self, *args, **kwargs):
        print('this network cannot be hybridized')
