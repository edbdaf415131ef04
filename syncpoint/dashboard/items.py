"""Item analysis: how hard each exercise is, and how well it separates strong students from weak ones."""

from typing import NamedTuple

import numpy as np
import pandas as pd


class Item(NamedTuple):
    """One exercise. Its figures leave out unread answers."""

    exercise: str
    max_points: float
    students: int  # the number of students whose answers have been read
    mean: float  # the mean of their points
    difficulty: float  # the mean share of the points, 0 (nobody got any) to 1 (all got all); test theory's p
    # the correlation (Pearson's r; point-biserial if an exercise is only passed or failed) of its points with the share
    # of points in all *other* exercises that have been read; none if all students got the same. Below 0.2 an exercise
    # says little about a student; below 0 something is wrong with it.
    discrimination: float
    full: float  # the share of the students who got all points
    none: float  # the share of the students who got none


def wide(marks: pd.DataFrame, values: str, exercises: list[str]) -> pd.DataFrame:
    """Return students x exercises: the sums of a column of marks, with gaps where there is no mark."""
    rows, students = pd.factorize(marks.student, sort=True)
    columns = pd.Index(exercises, dtype=object).get_indexer(marks.exercise.astype(object))
    known = columns >= 0
    where = rows[known], columns[known]
    sums, seen = np.zeros((len(students), len(exercises))), np.zeros((len(students), len(exercises)), dtype=bool)
    np.add.at(sums, where, marks[values].to_numpy(dtype=float)[known])
    seen[where] = True
    return pd.DataFrame(np.where(seen, sums, np.nan), index=pd.Index(students, name="student"), columns=exercises)


def analyse(marks: pd.DataFrame, exercises: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each exercise, with the columns of an `Item`, in the order of ``exercises``."""
    points_of = wide(marks[~marks.unread.astype(bool)], "points", list(exercises.exercise))
    total = points_of.sum(axis="columns")
    worth = points_of.notna().mul(exercises.max_points.to_numpy(), axis="columns")
    possible = worth.sum(axis="columns")
    rows = []
    for exercise, most in zip(exercises.exercise, exercises.max_points, strict=True):
        points = points_of[exercise].dropna()
        others = (possible - worth[exercise])[points.index]
        rest = (total - points_of[exercise])[points.index] / others.where(others > 0)
        rows.append(
            Item(
                exercise=exercise,
                max_points=most,
                students=len(points),
                mean=points.mean(),
                difficulty=points.mean() / most if most else float("nan"),
                discrimination=points.corr(rest) if points.nunique() > 1 and rest.nunique() > 1 else float("nan"),
                full=(points >= most).mean(),
                none=(points <= 0).mean(),
            )
        )
    return pd.DataFrame(rows, columns=Item._fields)
