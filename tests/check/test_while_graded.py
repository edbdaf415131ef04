"""A cell with the check that is left in a notebook does nothing while it is graded."""

from syncpoint.judge.kernel import Kernel


def test_the_command_is_there_and_checks_nothing(kernel: Kernel):
    reply = kernel.execute("%syncpoint check loops\nx = 1", 20)
    assert reply.content["status"] == "ok"
    assert reply.stdout == "Checks are not run while a notebook is graded.\n"
    assert kernel.execute("print(x)", 20).stdout == "1\n"
