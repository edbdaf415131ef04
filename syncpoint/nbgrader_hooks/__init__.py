"""Everything that nbgrader loads by name: the entry point for submissions, and the steps of its pipeline."""
