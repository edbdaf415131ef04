"""Everything that the views have read, in memory: shared by all pages, and read again only after changes.

A gradebook of 5,000 students has two million outcomes, and while a class is graded it changes every few seconds.  So
the rows of a query are kept, and a change replaces the rows of the students whom it concerns.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

import numpy as np
import pandas as pd
from sqlalchemy import Engine, text

from . import queries
from .people import people

Query = Callable[[Engine, str, Collection[str] | None], pd.DataFrame]
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
MAX_STUDENTS_REPLACED = 400  # students: for more of them, reading all rows again is faster


class Cache:
    """The rows of queries by assignment, and values computed from them.

    Attributes:
        number: Counts the changes of the gradebook that were seen.
    """

    def __init__(self, engine: Engine):
        self._engine = engine
        self._stamp = _stamp_of(engine)
        self._stamped: Any = None
        self._state: queries.State | None = None
        self._rows: dict[tuple[Query, str], pd.DataFrame] = {}
        self._changed: dict[tuple[Query, str], set[str]] = {}  # students whose rows must be read again
        self._results: dict[tuple[Any, str], tuple[tuple[Any, ...], Any]] = {}
        self._still = False
        self.number = 0

    @contextmanager
    def still(self) -> Iterator[None]:
        """Look for no changes in this block: all of a page is as of one moment, and the database is not asked again."""
        before, self._still = self._still, True
        try:
            yield
        finally:
            self._still = before

    def look(self) -> int:
        """Note changes since the last check; return their number.

        Nothing is read if the database has written nothing since, so this may be asked at any time.
        """
        if self._still and self._state is not None:
            return self.number
        if (stamp := self._stamp()) != self._stamped or stamp is None:
            self._stamped = stamp
            self._note(queries.state(self._engine, self._state))
        return self.number

    def _note(self, now: queries.State) -> None:
        before, self._state = self._state, now
        if before is None:
            return
        touched = now.touched(before)
        if now.everybody != before.everybody or "" in touched:
            self._rows, self._changed, self._results = {}, {}, {}
        elif touched:
            for (query, assignment), students in self._changed.items():
                students |= touched.get(assignment, set())
                if "" in students or len(students) > MAX_STUDENTS_REPLACED:
                    self._rows.pop((query, assignment), None)
            self._changed = {key: students for key, students in self._changed.items() if key in self._rows}
            self._results = {key: result for key, result in self._results.items() if key[1] not in touched}
        else:
            return
        self.number += 1

    def rows(self, query: Query, assignment: str) -> pd.DataFrame:
        """Return a query's rows for an assignment, each with a student; callers must not change them."""
        self.look()
        key = (query, assignment)
        students = self._changed.get(key, set())
        if key in self._rows and students:
            known = people(self._engine)
            names = sorted(known.shown_as(student) for student in students)
            self._rows[key] = replaced(self._rows[key], names, query(self._engine, assignment, students))
            self._changed[key] = set()
        if key not in self._rows or not self._adds_up(key):
            self._put(key, query(self._engine, assignment, None))
        return self._rows[key]

    def rows_of_all(self, query: Query, assignments: Collection[str]) -> dict[str, pd.DataFrame]:
        """Return the rows for several assignments; missing ones are read with one statement."""
        self.look()
        if len([name for name in assignments if (query, name) not in self._rows]) > 1:
            found = dict(iter(query(self._engine, "", None).groupby("assignment")))
            for name in found.keys() & set(assignments):
                self._put((query, name), found[name])
        return {name: self.rows(query, name) for name in assignments}

    def result(self, key: tuple[Any, str], depends: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return a cached value, computed again after a change of its assignment or its dependencies.

        Args:
            key: What it is, and the assignment; "" for what only names, assignments and cells decide.
            depends: Anything that can be compared.
            make: Makes it.
        """
        self.look()
        if key not in self._results or self._results[key][0] != depends:
            self._results[key] = depends, make()
        return self._results[key][1]

    def _put(self, key: tuple[Query, str], rows: pd.DataFrame) -> None:
        self._rows[key], self._changed[key] = rows.sort_values("student", kind="stable", ignore_index=True), set()

    def _adds_up(self, key: tuple[Query, str]) -> bool:
        """Whether the cached rows have the gradebook's numbers, as far as they can be counted."""
        query, assignment = key
        assert self._state is not None
        submitted, _, unread, _ = self._state.counts.get(assignment, (0, None, 0, 0))
        found = self._rows[key]
        if query is queries.submissions:
            return len(found) == submitted and int(found.unread.sum()) == unread
        return query is not queries.marks or int(found.unread.sum()) == unread


def replaced(rows: pd.DataFrame, students: list[str], new: pd.DataFrame) -> pd.DataFrame:
    """Return rows by student with these students' new rows in place of their old ones; only the new ones are sorted."""
    of, new = rows.student.to_numpy(dtype=object), new.sort_values("student", kind="stable")
    if rows.empty:
        return new.reset_index(drop=True)
    kept = np.ones(len(rows), dtype=bool)
    for first, end in zip(
        *(np.searchsorted(of, np.array(students, dtype=object), side) for side in SIDES), strict=True
    ):
        kept[first:end] = False
    if new.empty:
        return rows[kept].reset_index(drop=True)
    old, added = np.flatnonzero(kept), np.arange(len(rows), len(rows) + len(new))
    before = np.searchsorted(old, np.searchsorted(of, new.student.to_numpy(dtype=object)))
    places, index = np.insert(old, before, added), pd.RangeIndex(len(old) + len(new))
    return pd.DataFrame({name: _joined(rows[name], new[name], places, index) for name in rows}, index)


def _joined(old: pd.Series, new: pd.Series, places: np.ndarray, index: pd.RangeIndex) -> pd.Series:
    """Return the values of two columns at these places.  With a few rows, pandas would take longer than a query."""
    if not isinstance(old.dtype, pd.CategoricalDtype):
        values = np.concatenate([old.to_numpy(), new.to_numpy()])[places]
        return pd.Series(values, index, dtype=values.dtype if isinstance(old.dtype, np.dtype) else old.dtype)
    known = old.cat.categories
    codes = known.get_indexer(new.cat.categories)
    if -1 in codes:
        if len(known) > len(old):  # most of them are of rows that were replaced
            old = old.cat.remove_unused_categories()
        known = old.cat.categories.union(new.cat.categories, sort=False)
        codes = known.get_indexer(new.cat.categories)
    both = np.concatenate([old.cat.codes, codes[new.cat.codes]])
    return pd.Series(pd.Categorical.from_codes(both[places], known, validate=False), index)


def _stamp_of(engine: Engine) -> Callable[[], Any]:
    """Return a function whose value changes when another connection has written; None: unknown."""
    if engine.dialect.name == "sqlite":
        connection = engine.raw_connection()  # SQLite reports the writes of other connections to each connection
        connection.detach()  # it is kept, so it must not be one of the pool's few
        connection.cursor().execute("PRAGMA busy_timeout = 0")
        last: Any = None

        def stamp() -> Any:
            nonlocal last
            cursor = connection.cursor()
            # A transaction that locks the file has not been committed: there is nothing new, and no page has to wait.
            with suppress(sqlite3.OperationalError):
                cursor.execute("PRAGMA data_version")
                last = cursor.fetchone()
            return last

    elif engine.dialect.name == "postgresql":

        def stamp() -> Any:
            # The visible transactions: all completed ones, in all databases of the server.
            with engine.connect() as connection:
                return connection.scalar(text("SELECT CAST(pg_current_snapshot() AS text)"))

    else:

        def stamp() -> Any:
            return None

    return stamp
