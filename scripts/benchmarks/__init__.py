"""The bench: the cost of grading a class, compared with stock nbgrader, Otter, the bare work, and goals."""
