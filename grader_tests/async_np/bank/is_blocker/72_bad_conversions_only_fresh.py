# Believes that only conversions and barriers wait.
# breaks: "returns True if the line makes the front end wait": shapes that depend on the numbers are forgotten.
# kills: test_hidden_waits, test_sizes, test_writes
# misconception: unknown-size
def is_blocker(name):
    code = SNIPPETS[name]
    words = "wait", "print", "asnumpy", "tolist", "item", "float(", "if "
    return any(word in code for word in words)
