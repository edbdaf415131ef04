"""The bench: what grading a class costs, beside stock nbgrader, Otter and the bare work, held against its goals."""
