"""The course in other languages: catalogues in locale/, made of the sources, and what is made of both."""
