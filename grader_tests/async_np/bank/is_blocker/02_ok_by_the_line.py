# Looks at the text of the line, not at its name.
def is_blocker(name):
    line = SNIPPETS[name]
    if line.startswith(('print', 'float', 'if', 'npx.waitall')) or 'numpy.' in line:
        return True
    if '=' not in line and line.startswith('x[x'):
        return True
    return any(call in line for call in ('wait', 'asnumpy(', 'tolist(', 'item(', 'nonzero(', 'unique('))
