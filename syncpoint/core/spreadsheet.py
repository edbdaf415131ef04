"""Guards text from students and platforms in tables, so that no spreadsheet runs it as a formula."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(text: str) -> str:
    """Return free text so that no spreadsheet takes it for a formula: ``=HYPERLINK(...)`` becomes ``'=HYPERLINK(...)``.

    The way that OWASP describes at https://owasp.org/www-community/attacks/CSV_Injection.
    """
    return f"'{text}" if text.startswith(FORMULA) else text
