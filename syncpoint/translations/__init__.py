"""The course in other languages: catalogues in locale/, extracted from the sources, and the files made from both."""
