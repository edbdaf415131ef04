"""What is said in another language: messages by their codes, sentences of graders by their English."""

from pathlib import Path

import pytest

from syncpoint.core.language import Language, in_language, speaking
from syncpoint.core.messages import Message, say, words
from syncpoint.core.results import ExerciseResult, Status, TestResult
from syncpoint.core.texts import PLURALS, TEXTS
from syncpoint.core.words import Words
from syncpoint.course.folder import Course
from syncpoint.report.exercise import plain, render
from syncpoint.translations.catalogue import spoken

COURSE = Course(Path(__file__).resolve().parents[2])
PT, ZH = (spoken(COURSE, name, "async") for name in ("pt_BR", "zh_CN"))
PARALLEL = spoken(COURSE, "pt_BR", "torch_parallel")
GPU_PT, GPU_ZH = (spoken(COURSE, name, "torch_streams") for name in ("pt_BR", "zh_CN"))

SEEN = "The most in flight at one time: 3 of 12 batches."
HIDDEN = "an operation that must know the numbers first, such as a boolean mask, nonzero or unique"
COUNTS = "In flight as each batch started, itself among them: 1, 2, 3."
RACES = "Uses of the same memory in no fixed order: 2,"
PACE = "Your loop began 2 of 12 batches before it first waited or returned. The first wait: nowhere."


@pytest.mark.parametrize(
    ("language", "english", "said"),
    [
        (PT, SEEN, "O máximo em andamento ao mesmo tempo: 3 de 12 lotes."),
        (ZH, SEEN, "同一时刻在途的最多：12个批量中的3个。"),
        (PT, "queue_work returned a NumPy array.", "queue_work retornou um array do NumPy."),
        (ZH, "queue_work returned a list of 3.", "queue_work返回了有3个元素的list。"),
        (ZH, "wait_for_all returned an MXNet array and a NumPy array.", "wait_for_all返回了MXNet数组和NumPy数组。"),
        (
            PT,
            f"For a large matrix, queue_work waited. The first wait: {HIDDEN}.",
            "Com uma matriz grande, queue_work esperou. A primeira espera: uma operação que precisa conhecer os "
            "valores antes, como uma máscara booleana, nonzero ou unique.",
        ),
        (
            PT,
            f"With in_flight=2: {COUNTS} {PACE}",
            "Com in_flight=2: Em andamento quando cada lote começou, contando com ele: 1, 2, 3. Seu loop começou 2 "
            "de 12 lotes antes de esperar pela primeira vez ou de retornar. A primeira espera: em lugar nenhum.",
        ),
        (GPU_ZH, f"{RACES} first beside mm.", "以不固定的先后顺序使用同一块显存：2处，最先的是与mm并行。"),
        (
            GPU_PT,
            "Races: 1. The first one, in your function: memory given out again under mm, which may still use it.",
            "Condições de corrida: 1. A primeira, na sua função: memória entregue de novo sob mm, que ainda pode "
            "usá-la.",
        ),
        (PT, "Cell 3 (`loops`) raised TypeError.", "Célula 3 (`loops`) levantou TypeError."),
        (
            PT,
            "Your code raised DeferredInitializationError: a parameter has no values yet, because the network was not "
            "called with an input.",
            "Seu código levantou DeferredInitializationError: um parâmetro ainda não tem valores, porque a rede não "
            "foi chamada com uma entrada.",
        ),
        (
            PARALLEL,
            "Numbers that went through the host's memory: 3 times copy from the host, 2 times copy to the host.",
            "Valores que passaram pela memória do host: 3 vezes cópia do host, 2 vezes cópia para o host.",
        ),
        (PT, "What nobody has translated.", "What nobody has translated."),
    ],
)
def test_a_sentence_of_a_grader_is_known_by_its_own_words(language: Language, english: str, said: str):
    with speaking(language):
        assert (in_language(english), str(words(english))) == (said, said)


@pytest.mark.parametrize(
    ("language", "points", "said"),
    [
        (None, 1, "1 of 1 point"),
        (None, 2, "1 of 2 points"),
        (PT, 1, "1 de 1 ponto"),
        (PT, 2, "1 de 2 pontos"),
        (ZH, 1, "1分，满分1分"),
        (ZH, 2, "1分，满分2分"),
    ],
)
def test_a_number_has_its_form(language: Language | None, points: float, said: str):
    with speaking(language or Language()):
        assert say("points", points=1.0, most=float(points)) == said


def test_what_stands_in_a_message_is_said_in_its_language():
    raised = Message.of("raised", who=Message.of("function", name="loops"), error=Message.of("error", type="KeyError"))
    late = Message.of("timeout", who=Message("the_code"), seconds=30.0)
    with speaking(PT):
        assert (str(raised), str(late)) == (
            "`loops` levantou KeyError.",
            "O código não terminou em 30 s, e a execução foi interrompida por tempo.",
        )
    assert str(late) == "The code did not finish within 30 s and was stopped."


def test_what_was_put_in_words_in_the_gradebook_is_known_again():
    with speaking(PT):
        kept = in_language("The code did not finish within 30 s and was stopped.")
    assert kept == "O código não terminou em 30 s, e a execução foi interrompida por tempo."


def test_every_form_for_one_has_a_text_for_many():
    assert PLURALS.keys() <= TEXTS.keys()


@pytest.mark.parametrize("language", [PT, ZH])
def test_a_language_crosses_into_the_wheel_whole(language: Language):
    assert Language.from_data(language.to_data()) == language


def test_a_report_is_made_in_a_language_of_the_same_result():
    told = Words(
        "queue_work returns the product.",
        "Call data_iter() once, before the loop: each call starts a new pass over the data.",
    )
    test = TestResult("test_a", Status.FAILED, said=words("Lines printed: 2."), words=told)
    exercise = ExerciseResult("test_loops", 2.0, (test,))
    with speaking(ZH):
        page, text = render(exercise), plain(exercise)
    for part in ("0分，满分2分", "观察到", "打印的行数：2。", "提示", "在循环之前调用data_iter()一次"):
        assert part in page
        assert part in text
    assert "0 of 2 points" in plain(exercise)
