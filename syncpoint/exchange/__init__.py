"""Files in nbgrader's exchange that only one student and the course know: questions, predictions, notes, answers."""
