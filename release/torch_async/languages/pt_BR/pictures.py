"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, ORANGE, draw_boxes, draw_lanes


def draw_two_sides():
    """c = a * b + 2 on both sides."""
    front = [(0, 1, "ones"), (1, 1, "ones"), (2, 1, "*"), (3, 1, "+"), (4, 4.5, "espera por c"), (8.5, 1.2, "mostra c")]
    back = [(1, 1.5, "faz ones"), (2.5, 1.5, "faz ones"), (4, 2.5, "faz *"), (6.5, 2, "faz +")]
    draw_lanes("c = a * b + 2, e depois mostrar c", {"front-end": front, "dispositivo": back})


def draw_two_loops(n=4, t1=0.8, t2=2.0, t3=0.7):
    """The loop that waits in each step, above the one that waits once."""
    step = t1 + t2 + t3
    front, back = [], []
    for start in [i * step for i in range(n)]:
        front += [(start, t1, "$t_1$"), (start + t1, t2, "espera"), (start + t1 + t2, t3, "$t_3$")]
        back += [(start + t1, t2, "$t_2$")]
    draw_lanes("síncrono: uma espera em cada passo", {"front-end": front, "dispositivo": back}, n * step)
    front = [(i * t1, t1, "$t_1$") for i in range(n)]
    front += [(n * t1, t1 + n * (t2 - t1), "espera"), (t1 + n * t2, t3, "$t_3$")]
    back = [(t1 + i * t2, t2, "$t_2$") for i in range(n)]
    draw_lanes("assíncrono: uma só espera no fim", {"front-end": front, "dispositivo": back}, n * step)


def draw_late_error():
    """A kernel that fails in line 1, and line 3 that raises."""
    front = [
        (0, 1, "linha 0"),
        (1, 1, "linha 1"),
        (2, 1, "linha 2"),
        (3, 1, "linha 3"),
        (4, 3.2, "espera"),
        (7.2, 1.6, "erro!"),
    ]
    back = [(1, 2, "executa 0"), (3, 2.2, "executa 1: falha"), (5.2, 2, "executa 2")]
    draw_lanes("a linha 1 é a culpada, a linha 3 levanta o erro", {"front-end": front, "dispositivo": back})


def draw_in_flight():
    """Three ways to send batches."""
    for title, waits in (("uma espera em cada lote: 1 em andamento", 1), ("dois em andamento", 2)):
        front, back, send, work, free = [], [], 0.8, 2.0, 0.0
        ends, time = [], 0.0
        for t in range(4):
            if t >= waits and ends[t - waits] > time:
                front.append((time, ends[t - waits] - time, f"espera {t - waits}"))
                time = ends[t - waits]
            front.append((time, send, f"envia {t}"))
            time += send
            start = max(time, free)
            free = start + work
            ends.append(free)
            back.append((start, work, f"lote {t}"))
        draw_lanes(title, {"front-end": front, "dispositivo": back}, 11.4)


def draw_languages():
    """Many front ends, one back end."""
    languages = ["Python", "C++", "Java", "Rust"]
    boxes = {name: (place, 2, name, BLUE) for place, name in enumerate(languages)}
    boxes["queues"] = (1.5, 1, "filas de operações (streams)", "white")
    boxes["back-end"] = (1.5, 0, "back-end: kernels para GPU e CPU", ORANGE)
    arrows = [*((name, "queues") for name in languages), ("queues", "back-end")]
    draw_boxes("muitos front-ends, um back-end", boxes, arrows, size=(8, 3))


def draw_graph():
    """The dependencies in c = a * b + 2."""
    boxes = {
        "a": (0, 1, "a = ones", BLUE),
        "b": (0, 0, "b = ones", BLUE),
        "product": (1.5, 0.5, "a * b", BLUE),
        "sum": (3, 0.5, "+ 2", BLUE),
        "c": (4, 0.5, "c", GREEN),
    }
    arrows = [("a", "product"), ("b", "product"), ("product", "sum"), ("sum", "c")]
    draw_boxes("c = a * b + 2: uma seta leva à operação que precisa do resultado", boxes, arrows, size=(8, 2))
