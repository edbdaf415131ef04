# The parameters are rounded to 16 bits, to save space.
# breaks: 2
# kills: test_fresh_process, test_hybridized_before, test_load_reads_the_files_as_they_are, test_running_averages
# misconception: program-and-parameters
def export_net(net, x, prefix):
    net.hybridize()
    net(x)
    net.export(prefix)
    numbers = nd.load(prefix + '-0000.params')
    nd.save(prefix + '-0000.params', {key: v.astype('float16').astype('float32') for key, v in numbers.items()})


def load_net(prefix):
    return gluon.SymbolBlock.imports(prefix + '-symbol.json', ['data'], prefix + '-0000.params')
