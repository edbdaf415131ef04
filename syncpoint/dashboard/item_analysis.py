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


def wide(marks: pd.DataFrame, exercises: list[str], *values: str) -> list[pd.DataFrame]:
    """Return students x exercises for each of these columns of marks: its sums, with gaps where there is no mark."""
    (rows, students), (columns, names) = (
        (codes, np.asarray(values, dtype=object))
        for codes, values in (pd.factorize(marks[name]) for name in ("student", "exercise"))
    )
    columns = pd.Index(exercises, dtype=object).get_indexer(names)[columns]
    known, shape = columns >= 0, (len(students), len(exercises))
    places = (rows * len(exercises) + columns)[known]
    seen = np.bincount(places, minlength=shape[0] * shape[1]) > 0
    sums = (np.bincount(places, marks[name].to_numpy(dtype=float)[known], len(seen)) for name in values)
    index = pd.Index(students, name="student")
    return [pd.DataFrame(np.where(seen, one, np.nan).reshape(shape), index, exercises) for one in sums]


def analyse(marks: pd.DataFrame, exercises: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each exercise, with the columns of an `Item`, in the order of ``exercises``."""
    read = marks.loc[~marks.unread.astype(bool), ["student", "exercise", "points"]]
    (found,) = wide(read, list(exercises.exercise), "points")
    points, most = found.to_numpy(), exercises.max_points.to_numpy(dtype=float)
    known = ~np.isnan(points)
    worth = known * most
    others = worth.sum(axis=1, keepdims=True) - worth
    rest = (np.nansum(points, axis=1, keepdims=True) - points) / np.where(others > 0, others, np.nan)
    students = known.sum(axis=0)
    some = np.where(students, students, np.nan)
    mean = np.nansum(points, axis=0) / some
    return pd.DataFrame(
        {
            "exercise": exercises.exercise.to_numpy(),
            "max_points": most,
            "students": students,
            "mean": mean,
            "difficulty": mean / np.where(most > 0, most, np.nan),
            "discrimination": [_correlation(*pair) for pair in zip(points.T, rest.T, strict=True)],
            "full": (points >= most).sum(axis=0) / some,
            "none": (points <= 0).sum(axis=0) / some,
        },
        columns=Item._fields,
    )


def _correlation(points: np.ndarray, rest: np.ndarray) -> float:
    """Return Pearson's r of the pairs without gaps; none if one of the two is the same everywhere."""
    both = ~np.isnan(points) & ~np.isnan(rest)
    points, rest = points[both], rest[both]
    if not len(points) or np.ptp(points) == 0 or np.ptp(rest) == 0:
        return float("nan")
    return float(np.corrcoef(points, rest)[0, 1])
