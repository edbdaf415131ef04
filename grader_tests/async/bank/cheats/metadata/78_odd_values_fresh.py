"""Numbers, points and languages that no notebook has."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.metadata("queue_work", {"nbgrader": {"points": 1e308, "grade": True, "locked": False, "cell_type": "../../x"}})
cheat.metadata("test_queue_work", {"nbgrader": {"points": -1e9, "grade": True, "solution": True, "schema_version": 10**400}})
cheat.notebook_metadata({"kernelspec": {"name": "../../x", "language": "bash", "display_name": "<script>"},
                         "language_info": {"name": "sh", "file_extension": "/../../x", "nbconvert_exporter": "script"},
                         "celltoolbar": ["x"] * 1000, "nbgrader": {"score": 100}})
cheat.copy("test_queue_work", "assert True")
cheat.copy("queue_work", "queue_work = lambda x: 1/0")
cheat.cell("queue_work", '''
def queue_work(x):
    return None
''')
