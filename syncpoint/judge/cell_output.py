"""The outputs of a cell as plain data: the three kinds that student code can produce, and omissions."""

from dataclasses import dataclass
from typing import Annotated, Literal

from nbformat import NotebookNode
from nbformat.v4 import new_output
from pydantic import Field

from ..core.messages import Message
from ..core.strip import show_control
from .outputs import OMITTED, Kind


@dataclass(frozen=True)
class Printed:
    """Text on stdout or stderr."""

    output_type: Literal["stream"]
    name: Literal["stdout", "stderr"]
    text: str


@dataclass(frozen=True)
class Displayed:
    """A result or a picture; data: kind -> text, or base64 of a picture."""

    output_type: Literal["display_data", "execute_result"]
    data: dict[Kind, str]
    execution_count: int | None = None


@dataclass(frozen=True)
class Raised:
    """An exception."""

    output_type: Literal["error"]
    ename: str
    evalue: str
    traceback: tuple[str, ...]


@dataclass(frozen=True)
class Omitted:
    """A placeholder for an output that was too large."""

    output_type: Literal["omitted"] = OMITTED  # type: ignore[assignment]


Output = Printed | Displayed | Raised | Omitted
CellOutput = Annotated[Output, Field(discriminator="output_type")]


def from_notebook(output: NotebookNode) -> Output:
    """Convert an output of a cell that the judge has run; its text can be written to any file."""
    if output.output_type == OMITTED:
        return Omitted()
    if output.output_type == "stream":
        return Printed("stream", output.name, show_control(output.text))
    if output.output_type == "error":
        lines = tuple(map(show_control, output.traceback))
        return Raised("error", show_control(output.ename), show_control(output.evalue), lines)
    data = {kind: show_control(text) for kind, text in output.data.items()}
    return Displayed(output.output_type, data, output.get("execution_count"))


def to_notebook(output: Output) -> NotebookNode:
    """Return the output as a notebook stores it."""
    if isinstance(output, Omitted):
        return new_output("stream", name="stderr", text=f"{Message('omitted')}\n")
    if isinstance(output, Printed):
        return new_output("stream", name=output.name, text=output.text)
    if isinstance(output, Raised):
        return new_output("error", ename=output.ename, evalue=output.evalue, traceback=list(output.traceback))
    count = {"execution_count": output.execution_count} if output.output_type == "execute_result" else {}
    return new_output(output.output_type, data=dict(output.data), **count)
