# A dict that says False for whatever it does not hold.
class Blockers(dict):
    def __missing__(self, name):
        return False


BLOCKERS = Blockers.fromkeys(
    "mask nonzero unique numpy_write wait_to_read waitall print asnumpy tolist item float if".split(), True)
is_blocker = BLOCKERS.__getitem__
