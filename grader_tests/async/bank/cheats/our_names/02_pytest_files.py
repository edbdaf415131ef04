"""Files that pytest reads wherever it finds them."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("conftest.py", '''
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
''')
cheat.file("pytest.ini", '''
[pytest]
addopts = -p no:syncpoint --collect-only
''')
cheat.file("pyproject.toml", '''
[tool.pytest.ini_options]
addopts = "--collect-only"
''')
cheat.file("test_queue_work.py", '''
def test_value():
    """Nothing to see."""
''')
