"""What streams do while a function runs: a picture, a tool that finds races, and the pictures of the notebook.

    show_timeline(function, *arguments)    what the GPU has done while a function ran
    find_races(function, *arguments)       where two operations use the same memory and nothing orders them

You need not read this file.
"""

import os

import torch
from drawing import draw_lanes, words_of_simgpu

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

GRADING = "NBGRADER_EXECUTION" in os.environ


def show_timeline(function, *arguments):
    """Run function(*arguments) until everything is computed, and show what each stream of the GPU has done."""
    if torch.cuda.is_available():
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
            function(*arguments)
            torch.cuda.synchronize()
        print(seen.key_averages().table(sort_by="cuda_time_total", row_limit=10))
        return
    timeline, _ = _run(function, arguments)
    if GRADING:
        print(f"instruções e esperas: {len(timeline.spans())}")
    else:
        display(timeline)


def find_races(function, *arguments):
    """Run function(*arguments), and list where two operations use the same memory and nothing orders them."""
    if torch.cuda.is_available():
        print("No CUDA, defina TORCH_CUDA_SANITIZER como 1 antes de iniciar o Python: assim o próprio PyTorch procura condições de corrida.")
        return
    from simgpu import races

    name = getattr(function, "__name__", "a função")
    timeline, result = _run(function, arguments)
    found = races.find(timeline.entries)
    print(f"{name}: condições de corrida: {len(found)}")
    words = words_of_simgpu()
    for race in found:
        print("  ", race.describe(words, timeline.places))
    del result


def _run(function, arguments):
    """The part of the device's log in which a function ran, until all was done, and what it returned."""
    import simgpu

    gpu = torch.get_device_module("simgpu")
    gpu.synchronize()
    before = simgpu.timeline()
    result = function(*arguments)
    gpu.synchronize()
    return simgpu.timeline(before, words_of_simgpu()), result


# --- the pictures of the notebook ---------------------------------------------------------------------------------


def draw_no_order():
    """Two streams that nothing orders, and the same with wait_stream."""
    default = [(0, 2, "cria x"), (2.2, 2, "y @ y"), (4.4, 1.4, "one + two")]
    early = [(1, 5.4, "x @ x: começa antes que x esteja pronto, termina tarde demais")]
    draw_lanes(
        "sem wait_stream: nada determina quando o stream secundário começa",
        {"stream padrão": default, "stream secundário": early},
        6.8,
    )
    draw_lanes("com wait_stream: duas vezes", {"stream padrão": default, "stream secundário": [(2.2, 2, "x @ x")]}, 6.8)


def draw_reuse():
    """Memory that is allocated again too early, and record_stream."""
    made = (0, 1.5, "t = x * 2")
    draw_lanes(
        "t é liberado, e a memória dele é alocada para u enquanto o stream secundário ainda a lê",
        {"stream padrão": [made, (1.8, 1.5, "u = ...")], "stream secundário": [(1.8, 3, "lê t ... ou u?")]},
        5,
    )
    draw_lanes(
        "t.record_stream(side): a memória volta quando o stream secundário termina",
        {"stream padrão": [made, (1.8, 1.5, "u = ... (em outro lugar)")], "stream secundário": [(1.8, 3, "lê t")]},
        5,
    )


def draw_copies(product=2, copy=1.2, read=0.8):
    """Copies between the products, and copies that overlap them."""
    row = []
    for n in range(3):
        start = n * (product + copy)
        row += [(start, product, f"produto {n}"), (start + product, copy, f"cópia {n}")]
    draw_lanes("um stream: as cópias ficam entre os produtos", {"calcula e copia": row}, 9.8)
    lanes = {
        "calcula": [(n * product, product, f"produto {n}") for n in range(3)],
        "cópias": [((n + 1) * product, copy, f"cópia {n}") for n in range(3)],
        "host": [((n + 1) * product + copy, read, f"lê {n}") for n in range(3)],
    }
    draw_lanes("dois streams: a cópia t se sobrepõe ao produto t + 1; o host lê o resultado t depois da cópia", lanes, 9.8)


def draw_prefetch(work=2, copy=1.2):
    """A loop that copies and then works, and one with a prefetcher."""
    both = work + copy
    in_turn = {
        "calcula": [(n * both + copy, work, f"trabalho {n}") for n in range(3)],
        "cópias": [(n * both, copy, f"cópia {n}") for n in range(3)],
    }
    draw_lanes("copiar, depois trabalhar", in_turn, 9.8)
    ahead = {
        "calcula": [(copy + n * work, work, f"trabalho {n}") for n in range(3)],
        "cópias": [(max(0, copy + (n - 1) * work), copy, f"cópia {n}") for n in range(3)],
    }
    draw_lanes("com prefetcher: a cópia t + 1 se sobrepõe ao trabalho t", ahead, 9.8)


def draw_pipeline():
    """Two stages."""
    lanes = {
        "first": [(2 * n, 2, f"first {n}") for n in range(3)],
        "second": [(2 * n + 2, 2, f"second {n}") for n in range(3)],
    }
    draw_lanes("um pipeline: second de uma entrada depois do first dela, sobreposto ao first da entrada seguinte", lanes)


def draw_spans():
    """Three pieces of work."""
    lanes = {"copy": [(1, 5, "copy")], "forward": [(0, 3, "forward")], "step": [(4, 3, "step")]}
    draw_lanes("copy se sobrepõe aos outros dois; forward e step não se sobrepõem", lanes)
