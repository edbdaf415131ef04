# The other way round: the names that do not block, in groups, with a print that is no part of the answer.
def is_blocker(name):
    known = ['shape', 'len', 'dtype']
    operations = ['add', 'dot', 'in_place', 'copy', 'reshape', 'transpose', 'row', 'astype', 'sum', 'argmax',
                  'compare', 'where', 'sort', 'mask_write', 'fill']
    print('asked for', name)
    return not (name in known or name in operations)
