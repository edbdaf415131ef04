"""The dashboard: a web page for teachers that shows a class's results from the gradebook and the stored verdicts."""
