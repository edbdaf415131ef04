"""Reports as PyTorch's stream sanitizer writes them, of races in drawn programs.

The form is that of torch.cuda._sanitizer.UnsynchronizedAccessError.
"""

from dataclasses import dataclass

KERNELS = {
    "mul": "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
    "add": "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "mm": "aten::mm(Tensor self, Tensor mat2) -> Tensor",
    "tanh": "aten::tanh(Tensor self) -> Tensor",
    "sum": "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    "normal_": "aten::normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)",
}
CODE = {
    "mul": "{out} = {a} * {b}",
    "add": "{out} = {a} + {b}",
    "mm": "{out} = {a} @ {b}",
    "tanh": "{out} = {a}.tanh()",
    "sum": "{out} = {a}.sum()",
    "normal_": "{a}.normal_()",
}
LIBRARY = "/opt/venv/lib/python3.11/site-packages/torch"
HELPER = "wrapping.py"  # of the same program: code that looks for the last frame outside of libraries finds it
MAINS = "train.py", "first_step.py"  # code that looks for a name that ends in step.py finds the second one as well
FUNCTIONS = "forward", "advance", "one_batch"  # the function that races need not have the name of its file
FOLDERS = "/srv/course/week-{}", "/data/lab{}", "/scratch/{}/src", "/mnt/projects/p{}/code"  # step.py may be anywhere


@dataclass(frozen=True)
class Case:
    """A program and the report of its race.

    Attributes:
        lines: Of the program.
        report: The text.
        earlier: The number of the line of the access that came first, from 1.
        later: Of the other one.
    """

    lines: list[str]
    report: str
    earlier: int
    later: int


def draw(rng, loop: bool) -> Case:
    """A program of drawn lines, two of which race; in a loop what came first in time is below, far down in its file.

    One of the two is also further up: a search for its text finds the wrong one.
    """
    kinds = list(CODE)
    function = "step" if loop else str(rng.choice(FUNCTIONS))
    lines = ["#"] * int(rng.integers(100, 130)) * loop + [f"def {function}(x, w, side):"]
    operations = []
    length = int(rng.integers(8, 15))
    names = [f"t{number}" for number in rng.choice(90, size=length, replace=False)]
    above, first, second = sorted(int(place) for place in rng.choice(length, size=3, replace=False))
    again, written = int(rng.choice([first, second])), []
    for place in range(length):
        kind = kinds[rng.integers(len(kinds))]
        a, b = (str(name) for name in rng.choice(["x", "w", *names[:place]], size=2))
        out = names[place]
        if place == again:
            kind, out, a, b = written[above]
            names[place] = names[above]
        written.append((kind, out, a, b))
        code = CODE[kind].format(out=out, a=a, b=b)
        if rng.random() < 0.3:
            lines.append("    with gpu.stream(side):")
            code = "    " + code
        lines.append("    " + code)
        operations.append((len(lines), kind))
    (earlier, old), (later, new) = operations[first], operations[second]
    if loop:
        (earlier, old), (later, new) = (later, new), (earlier, old)
    streams = [0, int(rng.integers(1 << 46, 1 << 47))]
    rng.shuffle(streams)
    pointer = int(rng.integers(1 << 46, 1 << 47))
    call = int(rng.integers(40, 400))
    folder, main = FOLDERS[rng.integers(len(FOLDERS))].format(rng.integers(2, 60)), MAINS[int(loop)]
    report = "\n".join(
        [
            "============================",
            f"CSAN detected a possible data race on tensor with data pointer {pointer}",
            *_access("Access", streams[0], new, _traced(rng, folder, main, lines, later, call)),
            *_access("Previous access", streams[1], old, _traced(rng, folder, main, lines, earlier, call)),
            "Tensor was allocated with stack trace:",
            *_traced(rng, folder, main, lines, operations[int(rng.integers(len(operations)))][0], call),
        ]
    )
    return Case(lines, report + "\n", earlier, later)


def _access(which, stream, kind, trace):
    kernel = KERNELS[kind]
    written = "writing to argument(s) self" if kind == "normal_" else "reading from argument(s) self"
    return [f"{which} by stream {stream} during kernel:", kernel, written, "With stack trace:", *trace, ""]


def _traced(rng, folder, main, lines, number, call):
    """A stack trace, in which the frame of step.py has drawn numbers of others before it and after it."""
    before, behind = (int(count) for count in rng.integers((0, 1), (4, 3)))
    head = next(line for line in lines if line.startswith("def ")).removeprefix("def ").removesuffix(":")
    frames = [(f'"{folder}/{main}"', call, "<module>", "main()")]
    frames += [(f'"{folder}/{main}"', call - 7 * depth, "main", head) for depth in range(1, before + 1)]
    frames += [(f'"{folder}/step.py"', number, head.partition("(")[0], lines[number - 1].strip())]
    if main == MAINS[1]:
        frames += [(f'"{folder}/{HELPER}"', int(rng.integers(9, 200)), "wrapped", "return function(*args)")]
    dispatch = f'"{LIBRARY}/utils/_python_dispatch.py"'
    frames += [(dispatch, int(rng.integers(9, 200)), "__torch_dispatch__", "return func(*args)")] * behind
    return [f"  File {file}, line {line}, in {name}\n    {code}" for file, line, name, code in frames]
