"""Questions about students' own code: each is a small change of it, and the answer is measured."""
