"""The outputs of a cell: only text and bitmaps from the kernel's messages, up to a limit."""

from typing import Any, Literal, get_args

from nbformat import NotebookNode
from nbformat.v4 import new_output, output_from_msg

Kind = Literal["text/plain", "image/png", "image/jpeg"]  # types that student code may display
SAFE_TYPES = get_args(Kind)
OMITTED = "omitted"  # the type of the placeholder for an output that was too large


class Outputs:
    """The outputs of one request; about ``allowed`` bytes of them are kept, as they are in the graded notebook."""

    def __init__(self, allowed: int):
        self.items: list[NotebookNode] = []
        self.allowed = allowed
        self.size = 0

    @property
    def too_much(self) -> bool:
        """Whether there was more output than allowed."""
        return self.size > self.allowed

    def add(self, message: dict[str, Any]) -> None:
        """Store the output in a kernel's message, if any."""
        output = _output(message)
        if output is None or self.too_much:
            return
        added = _cut(output, self.allowed - self.size)
        self.size += _size(output)
        last = self.items[-1] if self.items else None
        if last is not None and last.output_type == added.output_type == "stream" and last.name == added.name:
            last.text += added.text
        else:
            self.items.append(added)


def execution_count(count: Any) -> int | None:
    """Return a message's execution number if it is valid: a notebook may contain nothing else."""
    return count if type(count) is int and count >= 0 else None


def _output(message: dict[str, Any]) -> NotebookNode | None:
    if message["msg_type"] not in ("stream", "display_data", "execute_result", "error"):
        return None
    try:
        output = output_from_msg(message)
        if output.output_type == "stream":
            return output if isinstance(output.text, str) and output.name in ("stdout", "stderr") else None
        if output.output_type == "error":
            lines = output.traceback
            plain = isinstance(output.ename, str) and isinstance(output.evalue, str) and isinstance(lines, list)
            return output if plain and all(isinstance(line, str) for line in lines) else None
        # Nothing that a browser would run gets into a report: only text and bitmaps.
        allowed = {k: v for k, v in output.data.items() if k in SAFE_TYPES and isinstance(v, str)}
        output.data = NotebookNode(allowed)
        output.metadata = NotebookNode()
        if output.output_type == "execute_result":
            output.execution_count = execution_count(output.execution_count)
        return output if allowed else None
    except Exception:  # a malformed message is no output
        return None


def _size(output: NotebookNode) -> int:
    """Estimate the size of an output in the graded notebook; an empty one also takes some space."""
    if output.output_type == "stream":
        texts = [output.text]
    elif output.output_type == "error":
        texts = [output.ename, output.evalue, *output.traceback]
    else:
        texts = list(output.data.values())
    return sum(len(text) + 20 for text in texts)


def _cut(output: NotebookNode, allowed: int) -> NotebookNode:
    """Return the output, or as much of it as is allowed."""
    if _size(output) <= allowed:
        return output
    if output.output_type == "stream":
        return new_output("stream", name=output.name, text=output.text[:allowed])
    return NotebookNode(output_type=OMITTED)
