"""The line of nbgrader_config.py that names the gradebook."""

import ast
import json

NAME = "c.CourseDirectory.db_url"
# A copied course uses its own gradebook file, whatever database the original's settings name.
OWN = '"sqlite:///" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "gradebook.db")'


def with_gradebook(settings: str, url: str | None = None) -> str:
    """Return an nbgrader_config.py with another gradebook (None: a file in the course folder); all other bytes stay."""
    line = f"{NAME} = {OWN if url is None else json.dumps(url)}"
    lines = settings.splitlines(keepends=True)
    body = ast.parse(settings).body
    found = [node for node in body if isinstance(node, ast.Assign) and NAME in map(ast.unparse, node.targets)]
    if url is None and not any(isinstance(node, ast.Import) and ast.unparse(node) == "import os" for node in body):
        line = f"import os\n{line}"
    for node in reversed(found):
        end = lines[(node.end_lineno or node.lineno) - 1]
        lines[node.lineno - 1 : node.end_lineno] = [line + end[len(end.rstrip("\r\n")) :]] if node is found[0] else []
    if not found:
        lines.append(f"{'' if settings.endswith(chr(10)) else chr(10)}\n{line}\n")
    return "".join(lines)
