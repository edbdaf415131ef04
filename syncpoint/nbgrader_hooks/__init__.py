"""All that nbgrader loads by name to grade: the way in for submissions, and the steps of its pipeline."""
