"""A feedback page contains the styles that it uses, and no others."""

from syncpoint.nbgrader_hooks.page_styles import without_unused_styles

STYLES = """
/* a comment */
@font-face { font-family: X; src: url(x.woff) }
body, .unused { color: red }
.used.other { color: blue }
.panel > .used:not(.other) { color: green }
@media print { .unused { color: black } .panel { display: block } }
@media screen { .unused { color: white } }
[class^="icon"] { color: grey }
"""


def test_rules_for_classes_that_no_element_has_go():
    page = (
        f"<html><head><style>{STYLES}</style></head><body class='panel'><p class=\"a used\">.unused</p></body></html>"
    )
    shortened = without_unused_styles(page)
    head, body = shortened.split("</head>")
    assert body == page.split("</head>")[1]
    for kept in ("body{color: red}", ".panel > .used:not(.other){color: green}", ".panel{display: block}", "icon"):
        assert kept in head
    for gone in ("comment", "font-face", "unused", "blue", "screen"):
        assert gone not in head


def test_a_sheet_in_which_all_is_used_stays_whole_in_meaning():
    page = '<head><style>.a { content: ".b"; margin: 0 }</style></head><p class="a">'
    assert '.a{content: ".b"; margin: 0}' in without_unused_styles(page)
