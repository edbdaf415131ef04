"""Records: the verdicts, in tables of our own beside nbgrader's, in the gradebook's database."""
