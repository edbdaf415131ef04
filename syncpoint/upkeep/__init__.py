"""What an operator does between gradings: prunes the store, forgets a student, moves the gradebook."""
