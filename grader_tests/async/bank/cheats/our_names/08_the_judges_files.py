"""Files of the course and of the judge, as a student imagines them."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("nbgrader_config.py", '''
c = get_config()
c.Autograde.autograde_preprocessors = []
''')
cheat.file("syncpoint/__init__.py", '''

''')
cheat.file("syncpoint/graders.py", '''
array = hint = weight = lambda *_: None
''')
cheat.file("connection.json", '''
{"key": ""}
''')
cheat.file("scenarios.py", '''
points = 2.0
''')
cheat.file("grader_tests/async/test_queue_work.py", '''
def test_value(student):
    """Always right."""
''')
cheat.file("gradebook.db", '''
not a database
''')
cheat.file("feedback.html", '''
<b>2 of 2 points</b>
''')
