"""Messages are found in sources, and put back into them."""

import textwrap
from pathlib import Path

import pytest

from syncpoint.translations import blocks, catalogue, code

TEXT = """\
# A title

A paragraph on
two lines, with `code`.

* One item
  that goes on;
* `y.shape`

| a call | what it waits for |
|---|---|
| `y` | `z` |

```python
words = "in code"  # and beside it
```

### BEGIN MARK SCHEME
Nobody sees this.
### END MARK SCHEME
"""


def test_each_block_of_a_text_is_a_message_on_one_line():
    assert [block.text for block in blocks.blocks(TEXT)] == [
        "A title",
        "A paragraph on two lines, with `code`.",
        "One item that goes on;",
        "| a call | what it waits for |",
        "and beside it",
    ]


def test_a_text_is_put_together_again_around_its_translations():
    made = blocks.translate(TEXT, str.upper)
    assert made.startswith(
        "# A TITLE\n\nA PARAGRAPH ON TWO LINES, WITH `CODE`.\n\n* ONE ITEM THAT GOES ON;\n* `y.shape`"
    )
    assert made.endswith(
        'words = "in code"  # AND BESIDE IT\n```\n\n### BEGIN MARK SCHEME\nNobody sees this.\n### END MARK SCHEME\n'
    )
    assert blocks.translate(TEXT, lambda text: text) == TEXT


CODE = textwrap.dedent(
    '''
    # Nothing to do
    # in this cell.
    def f(x):
        """Return x."""
        ### BEGIN SOLUTION
        # The secret.
        return x
        ### END SOLUTION


    assert f(2) == 2, (
        f"f must return {x!r}, "
        "and nothing else")
    assert "outer" in names, "outer"
    print("all is well", len(x))
    label = "not shown"
    '''
)


def test_the_words_of_code_are_what_people_read_of_it():
    assert [(words.kind, words.text) for words in code.words_of(CODE)] == [
        ("comment", "Nothing to do in this cell."),
        ("docstring", "Return x."),
        ("template", "f must return {x!r}, and nothing else"),
        ("text", "all is well"),
    ]


def test_signs_of_several_bytes_move_nothing():
    drawing = 'lanes = {"front end": [("a·a", 1), ("wait for b·b", 2)], "a worker": ["·"]}\n'
    drawn = code.Drawn()
    assert [words.text for words in code.words_of(drawing, drawn)] == ["front end", "wait for b·b", "a worker"]
    assert code.translate(drawing, str.upper, drawn) == (
        'lanes = {"FRONT END": [("a·a", 1), ("WAIT FOR B·B", 2)], "A WORKER": ["·"]}\n'
    )


def test_code_with_other_words_does_the_same():
    other = {
        "Return x.": 'Retorna x,\n\nem "português".',
        "f must return {x!r}, and nothing else": 'nada além de {x!r} serve, diz "f"',
        "all is well": 'tudo "bem" \\o/',
    }
    made = code.translate(CODE, lambda text: other.get(text, text))
    assert code.same(CODE, made)
    assert 'Retorna x,\n\n    em "português".\n    """' in made


@pytest.mark.parametrize("text", ["f must return {y!r}", "f must return nothing", "f must return {x!r} or {open('a')}"])
def test_words_with_other_values_are_other_code(text: str):
    made = code.translate(CODE, lambda english: text if english.startswith("f must") else english)
    assert not code.same(CODE, made)


def test_the_english_of_before_does_not_become_a_comment(tmp_path: Path):
    catalog = catalogue.read(tmp_path / "none.po", "pt_BR")
    catalog.add("Wait for it.", "Espere.", flags=["fuzzy"], previous_id="Wait.")
    path = tmp_path / "kept.po"
    path.write_bytes(catalogue.write(catalog))
    assert b'#| msgid "Wait."' in path.read_bytes()
    (entry,) = [entry for entry in catalogue.read(path, "pt_BR") if entry.id]
    assert (entry.fuzzy, entry.string, entry.user_comments) == (True, "Espere.", [])
