"""CSV files; text in them from students and platforms is guarded, so that no spreadsheet runs it as a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(text: str) -> str:
    """Return free text so that no spreadsheet takes it for a formula: ``=HYPERLINK(...)`` becomes ``'=HYPERLINK(...)``.

    The way that OWASP describes at https://owasp.org/www-community/attacks/CSV_Injection.
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def csv_file(rows: Iterable[Sequence[object]], quoted: bool = False) -> bytes:
    """Return a CSV file in UTF-8; ``quoted``: with quotation marks around all values."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(rows)
    return text.getvalue().encode()
