"""The course: its folder and conventions, its settings, its releases, and the intake of submissions."""
