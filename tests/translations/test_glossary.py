"""The glossary, and that all catalogues keep to it where one of them had a way of its own."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import path_of, read
from syncpoint.translations.messages import catalogues

COURSE = Course(Path(__file__).resolve().parents[2])
LANGUAGES = ("zh_CN", "pt_BR")
NO_WORDS = re.compile(r"`[^`]*`|\{[^{}]*\}")  # code, and places
# The term in the glossary; where the English has it; what stands for it in Chinese and in Portuguese.
HELD = [
    ("all-gather", r"\ball-gathers?\b", "all-gather", "all-gather"),
    ("assignment", r"\bassignments?\b(?! (is|was) due)", "作业", "atividades?"),
    ("at the same time as", r"\bat the same time as\b", "并行|同时", "em paralelo|ao mesmo tempo"),
    ("collective", r"\bcollectives?\b", "集合通信", "operaç(ão|ões) coletivas?"),
    ("gather (the parts of a unit)", r"(?<!all-)(?<!reduce-)\bgather(s|ed|ing)?\b", "收集", "reun|reún|all-gather"),
    ("graph break", r"\bgraph breaks?\b", "图中断", "quebras? de grafo"),
    ("hook (of a parameter)", r"\bhooks?\b(?!\()", "钩子", "hooks?"),
    ("drop (a tensor)", r"\bdrop(s|ped)?\b(?! (the same|results))", "不再引用", "liber"),
    ("micro-batch", r"\bmicro-batch(es)?\b", "微批量", "microlotes?"),
    ("owner (of a parameter)", r"\bowners?\b", "所有者", "donos?"),
    ("race (condition)", r"\b(race|races|racy)\b", "竞态条件", "corrida"),
    ("sandbox", r"\bsandbox\b", "沙箱", "sandbox"),
    ("schedule (of a pipeline)", r"\bschedules?\b", "调度", "agendamentos?"),
    ("side stream", r"\bside streams?\b", "侧流", r"\*?streams?\*? secundários?"),
    ("sum", r"\bsums?\b", "和|相加|加起来|sum", "som|sum"),
]
# What no translation says: the term that it is about, the language, and what the catalogues once said, or others say.
NEVER = [
    ("student", "zh_CN", "您"),
    ("student", "zh_CN", "学员"),
    ("aggregate, add up", "zh_CN", "聚合"),
    ("block (verb: make wait)", "zh_CN", "封锁"),
    ("computational graph", "pt_BR", "gráficos? computaciona"),
    ("core (of a CPU)", "zh_CN", "核心"),
    ("course", "pt_BR", r"\bcursos?\b"),
    ("drop (a tensor)", "pt_BR", r"\bsolt[aeo]|\blarg(a|ar|ou)\b"),
    ("forward pass", "zh_CN", "前向传播"),
    ("front end", "pt_BR", r"\bfrontend"),
    ("grader (program)", "zh_CN", "评分程序|判题|评测"),
    ("hidden test", "pt_BR", "escondid"),
    ("hidden test", "zh_CN", "隐式测试"),
    ("hidden wait, implicit blocker", "pt_BR", "esperas? ocult"),
    ("hidden wait, implicit blocker", "zh_CN", "隐藏的?等待"),
    ("in parallel, at the same time", "zh_CN", "并发(?!出|送)"),
    ("loop", "pt_BR", r"\blaços?\b(?! infinito)"),
    ("memory (GPU)", "zh_CN", "GPU(上|中)?的?内存"),
    ("misconception", "pt_BR", "mal-entendid|concepç"),
    ("misconception", "zh_CN", "误区|迷思"),
    ("operator", "zh_CN", "算子|操作符"),
    ("pending", "zh_CN", "挂起|待定"),
    ("performance", "pt_BR", r"\bperformance\b"),
    ("raise (an error)", "zh_CN", "抛出"),
    ("reduction", "zh_CN", "规约"),
    ("race (condition)", "zh_CN", "竞态(?!条件)"),
    ("sandbox", "zh_CN", "沙盒"),
    ("scheduler", "pt_BR", "programador"),
    ("side stream", "pt_BR", r"stream\*? lateral"),
    ("stream (CUDA)", "pt_BR", r"\bfluxos?\b|\b(a|uma|da|na)s? \*?streams?\b"),
    ("student", "pt_BR", r"\balun[oa]s?\b"),
    ("submission", "pt_BR", "submiss"),
    ("sum", "zh_CN", r"把和(?!别)|得到和[。（]|看不到和|的\*\*和\*\*|同一个和|^和[ 必]|的和[是不]"),
    ("teacher", "pt_BR", r"\bprofessor"),
    ("teacher", "zh_CN", "老师"),
    ("thread", "pt_BR", r"\b(o|um|do|no|ao)s? \*?threads?\b"),
    ("timeline", "pt_BR", "linhas? de tempo"),
    ("timeline", "zh_CN", "时间轴"),
    ("trainer (gluon.Trainer)", "pt_BR", r"\btreinador"),
    ("training", "pt_BR", r"\btreinos?\b"),
    ("wait (verb)", "pt_BR", r"\baguard"),
    ("epoch", "zh_CN", "一轮的批量"),
    ("work, piece of work (in the queue)", "zh_CN", r"(更早|最新|最后|未完成|这次)(\*?的)?工作|一项工作|还有工作"),
]


@cache
def glossary() -> dict[str, dict[str, str]]:
    with (COURSE.root / "locale" / "glossary.tsv").open(encoding="utf-8", newline="") as file:
        return {row["en"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


@cache
def translations_in(spoken: str) -> list[tuple[str, str, str]]:
    """Every message: its catalogue, the English with an x for code, and each form of the translation."""
    return [
        (name, NO_WORDS.sub("x", entry.id if isinstance(entry.id, str) else entry.id[-1]), form)
        for name in catalogues(COURSE)
        for entry in read(path_of(COURSE, spoken, name), spoken)
        if entry.id
        for form in ([entry.string] if isinstance(entry.string, str) else entry.string)
    ]


@cache
def pages_in(spoken: str) -> list[tuple[str, str]]:
    """Every line of the pages that no catalogue has: the name of its file, and the line."""
    docs = COURSE.root / "docs"
    pages = [docs / f"README.{spoken}.md", *sorted((docs / "site" / spoken).rglob("*.md"))]
    texts = [(path.name, re.sub(r"\]\([^)]*\)", "]", path.read_text(encoding="utf-8"))) for path in pages]
    return [(name, line) for name, text in texts for line in text.splitlines()]


def test_the_glossary_has_both_languages_for_each_term():
    assert len(glossary()) >= 298
    assert [term for term, row in glossary().items() if not all(row[spoken] for spoken in LANGUAGES)] == []


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize(("term", "english", "chinese", "portuguese"), HELD, ids=[term for term, *_ in HELD])
def test_a_term_is_the_same_in_all_assignments(spoken: str, term: str, english: str, chinese: str, portuguese: str):
    there, here = re.compile(english, re.IGNORECASE), {"zh_CN": chinese, "pt_BR": portuguese}[spoken]
    assert re.search(here, glossary()[term][spoken])
    messages = [(name, text, form) for name, text, form in translations_in(spoken) if there.search(text)]
    assert messages
    assert [found for found in messages if not re.search(here, found[2], re.IGNORECASE)] == []


@pytest.mark.parametrize(("term", "spoken", "never"), NEVER)
def test_no_translation_says_what_the_glossary_rules_out(term: str, spoken: str, never: str):
    assert not re.search(never, glossary()[term][spoken])
    wrong = re.compile(never, re.IGNORECASE)
    texts = [(name, form) for name, _, form in translations_in(spoken)] + pages_in(spoken)
    assert [found for found in texts if wrong.search(NO_WORDS.sub("x", found[1]))] == []
