"""The views of the dashboard, one for each question: the class, its exercises, its students, the grading.

A column of a table is a `Column` in its view, named after a column of the frame that `update` shows.  To add data to
that frame, change dashboard/queries.py; a value computed for each exercise is a field of `Item` in
dashboard/item_analysis.py.
"""
