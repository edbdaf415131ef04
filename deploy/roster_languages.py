"""Prints the languages that a course's roster gives its students, as JSON; the hub runs it as the course's account.

It does not import nbgrader, which takes three times as long to load as all this: a class that logs in has to wait.
"""

import json
import sys
from pathlib import Path

from sqlalchemy import create_engine, inspect, select

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from syncpoint.course.folder import Course
from syncpoint.records.tables import LanguageRecord

course = Course(Path(sys.argv[1]).absolute())
usual = f"sqlite:///{course.root}/gradebook.db"  # nbgrader's default
engine = create_engine(course.settings().CourseDirectory.get("db_url", usual))
found = {}
place = engine.url.database if engine.url.drivername.startswith("sqlite") else None
if place is None or Path(place).is_file():  # connecting would create it
    with engine.connect() as connection:
        if inspect(connection).has_table(LanguageRecord.__tablename__):
            rows = connection.execute(select(LanguageRecord.student, LanguageRecord.language))
            found = {row.student: row.language for row in rows}
print(json.dumps(found))
