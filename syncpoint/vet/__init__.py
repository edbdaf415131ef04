"""Vetting: tests the graders with a bank of right and wrong solutions, graded like submissions."""
