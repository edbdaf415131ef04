"""Vetting: holds the graders against a bank of right and wrong solutions, by the path a submission takes."""
