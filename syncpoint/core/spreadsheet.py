"""What students and platforms chose stands in tables that people open with a spreadsheet: nothing in it is run."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(text: str) -> str:
    """Return free text so that no spreadsheet takes it for a formula: ``=HYPERLINK(...)`` becomes ``'=HYPERLINK(...)``.

    The way that OWASP describes at https://owasp.org/www-community/attacks/CSV_Injection.
    """
    return f"'{text}" if text.startswith(FORMULA) else text
