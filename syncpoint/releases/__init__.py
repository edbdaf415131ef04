"""What a release adds to the notebooks of source/: points, time, and the checks in grade cells."""
