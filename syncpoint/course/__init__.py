"""The course: its folder and conventions, its settings, its releases, and how submissions are taken in."""
