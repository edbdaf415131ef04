"""The views of the dashboard, one for each question: the class, its exercises, its students, the grading."""
