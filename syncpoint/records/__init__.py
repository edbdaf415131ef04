"""Records: verdicts in our own tables next to nbgrader's, in the gradebook's database."""
