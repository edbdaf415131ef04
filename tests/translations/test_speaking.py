"""Messages in another language: by their codes, and graders' sentences by their templates."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from syncpoint.core.explanations_of_tests import Explanation
from syncpoint.core.language import Language, speaking
from syncpoint.core.messages import Message, message, say
from syncpoint.core.results import ExerciseResult, Status, TestResult
from syncpoint.core.texts import PLURALS, TEXTS
from syncpoint.course.folder import Course
from syncpoint.observe.observation import Event
from syncpoint.observe.vocabulary import first_wait, joined, kind_of, race
from syncpoint.report.exercise import plain, render
from syncpoint.translations.catalogue import spoken

COURSE = Course(Path(__file__).resolve().parents[2])
PT, ZH = (spoken(COURSE, name, "async") for name in ("pt_BR", "zh_CN"))
PARALLEL = spoken(COURSE, "pt_BR", "torch_parallel")
GPU_PT, GPU_ZH = (spoken(COURSE, name, "torch_streams") for name in ("pt_BR", "zh_CN"))

SEEN = message("Batches in flight at one time: up to {most} of {batches}.", most=3, batches=12)
COUNTS = message("Batches in flight each time a batch started, including this batch: {in_flight}.", in_flight="1, 2, 3")
BATCH = message("batch {number}", number=3)
PACE = message(
    "Your loop began {began} of {batches} batches before it first waited or returned. The first wait: {first_wait}.",
    began=2,
    batches=12,
    first_wait=first_wait([]),
)
COPIES = [message(f"copies {way} the host: {{count}}", count=count) for count, way in ((3, "from"), (2, "to"))]


def event(kind: str, label: str, **others: Any) -> Event:
    return Event(kind, label, ("this",), 0, 0.0, **others)


@pytest.mark.parametrize(
    ("language", "english", "output"),
    [
        (PT, SEEN, "O máximo em andamento ao mesmo tempo: 3 de 12 lotes."),
        (ZH, SEEN, "12个批量中，同一时刻在途的最多有3个。"),
        (
            PT,
            message("queue_work returned {kind}.", kind=kind_of(np.ones(1))),
            "queue_work retornou um array do NumPy.",
        ),
        (ZH, message("queue_work returned {kind}.", kind=kind_of([1, 2, 3])), "queue_work返回了有3个元素的list。"),
        (
            ZH,
            message("wait_for_all returned {kinds}.", kinds=joined(["an MXNet array", kind_of(np.ones(1))])),
            "wait_for_all返回了MXNet数组和NumPy数组。",
        ),
        (
            PT,
            message(
                "For a large matrix, queue_work waited. The first wait: {first_wait}.",
                first_wait=first_wait([event("wait", "", target="operation")]),
            ),
            "Com uma matriz grande, queue_work esperou. A primeira espera: uma operação que precisa conhecer os "
            "valores antes, como uma máscara booleana, nonzero ou unique.",
        ),
        (
            PT,
            message("With in_flight={limit}: {counts} {pace}", limit=2, counts=COUNTS, pace=PACE),
            "Com in_flight=2: Lotes em andamento quando cada um começou, contando com ele: 1, 2, 3. Lotes que "
            "começaram antes de o seu loop esperar pela primeira vez ou retornar: 2 de 12. A primeira espera: nenhuma.",
        ),
        (
            ZH,
            message("Unfinished when your function returned: {labels}.", labels=joined([BATCH, BATCH], commas=True)),
            "你的函数返回时，这些还没有完成：批量3、批量3。",
        ),
        (
            GPU_ZH,
            message(
                "Uses of the same memory without a fixed order: {count}. The first: {first}.",
                count=2,
                first=race(event("race", "beside mm")),
            ),
            "使用同一块显存却没有固定先后的操作：2处。第一处：与mm并行。",
        ),
        (
            GPU_PT,
            message(
                "Races: {count}. The first one: memory was allocated again while {first} may still use it.",
                count=1,
                first=message("your {operation} in line {line}", operation="mm", line=7),
            ),
            "Condições de corrida: 1. A primeira: a memória que a operação mm na linha 7 do seu código ainda podia "
            "usar foi alocada de novo.",
        ),
        (
            PARALLEL,
            message("Numbers went through the host's memory ({copies}).", copies=joined(COPIES, commas=True)),
            "Valores passaram pela memória do host (cópias do host: 3, cópias para o host: 2).",
        ),
        (PT, message("What nobody has {done}.", done="translated"), "What nobody has translated."),
    ],
)
def test_a_sentence_of_a_grader_is_known_by_its_template(language: Language, english: Message, output: str):
    with speaking(language):
        assert str(english) == output


@pytest.mark.parametrize(
    ("language", "points", "output"),
    [
        (None, 1, "1 of 1 point"),
        (None, 2, "1 of 2 points"),
        (PT, 1, "1 de 1 ponto"),
        (PT, 2, "1 de 2 pontos"),
        (ZH, 1, "1分，满分1分"),
        (ZH, 2, "1分，满分2分"),
    ],
)
def test_a_number_has_its_form(language: Language | None, points: float, output: str):
    with speaking(language or Language()):
        assert say("points", points=1.0, most=float(points)) == output


def test_what_stands_in_a_message_is_said_in_its_language():
    raised = Message.of("raised", who=Message.of("function", name="loops"), error=Message.of("error", type="KeyError"))
    late = Message.of("timeout", who=Message("the_code"), seconds=30.0)
    with speaking(PT):
        assert (str(raised), str(late)) == (
            "`loops` levantou KeyError.",
            "O código não terminou em 30 s, e a execução foi interrompida por exceder o tempo limite.",
        )
    assert str(late) == "The code did not finish within 30 s and was stopped."


def test_every_form_for_one_has_a_text_for_many():
    assert PLURALS.keys() <= TEXTS.keys()


@pytest.mark.parametrize("language", [PT, ZH])
def test_a_language_crosses_into_the_wheel_whole(language: Language):
    assert Language.from_data(language.to_data()) == language


def test_a_report_is_made_in_a_language_of_the_same_result():
    reported = Explanation(
        "queue_work returns the product.",
        "Call data_iter() once, before the loop: each call starts a new pass over the data.",
    )
    test = TestResult("test_a", Status.FAILED, message=message("Lines printed: {count}.", count=2), words=reported)
    exercise = ExerciseResult("test_loops", 2.0, (test,))
    with speaking(ZH):
        page, text = render(exercise), plain(exercise)
    for part in ("0分，满分2分", "观察到", "打印的行数：2。", "提示", "在循环之前调用data_iter()一次"):
        assert part in page
        assert part in text
    assert "0 of 2 points" in plain(exercise)
