# Believes that only conversions and barriers wait.
# breaks: 4, 5
# kills: test_hidden_waits, test_sizes, test_writes
# misconception: unknown-size
def is_blocker(name):
    code = SNIPPETS[name]
    words = "wait", "print", "asnumpy", "tolist", "item", "float(", "if "
    return any(word in code for word in words)
