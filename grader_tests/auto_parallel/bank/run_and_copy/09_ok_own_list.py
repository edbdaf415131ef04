# The copies in a list with a name and a method that waits for them.
class Copies(list):
    """Copies that can be waited for."""

    def wait(self):
        for copy in self:
            copy.wait_to_read()
        return self


def run_and_copy(x):
    return Copies(copy_to_cpu(run(x))).wait()
