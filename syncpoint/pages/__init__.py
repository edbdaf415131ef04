"""What people see of a graded notebook: everything in it that a student wrote is bounded here."""
