"""The dashboard: what a class did, read from the gradebook and the kept verdicts, as a web page for its teachers."""
