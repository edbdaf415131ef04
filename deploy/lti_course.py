"""The hub's LTI requests to a course, run under the course's own account: public keys, or storing a launch.

`lti_course.py keys COURSE` and `lti_course.py learn COURSE`, with the launch as JSON on standard input.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from syncpoint.course.folder import Course
from syncpoint.lms.keys import published, read_keys
from syncpoint.lms.registration import Registration, learn

act, folder = sys.argv[1:]
course = Course(Path(folder).absolute())
if act == "keys":
    print(json.dumps(published(read_keys(course))))
else:
    learn(course, Registration.model_validate_json(sys.stdin.buffer.read()))
    print("{}")
