"""Sphinx's settings for the site; `scripts/site_pages.py` lays the pages out, a folder for each language."""

import re
import sys
from pathlib import Path

import latex2mathml.converter
from docutils.nodes import SkipNode
from sphinx.search import languages
from sphinx.search.zh import SearchChinese

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))
LANGUAGES = {"en": "English", "zh_CN": "中文", "pt_BR": "Português"}

project = "Syncpoint"
author = "the authors of Syncpoint"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
templates_path = [str(HERE / "templates")]
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_theme = "pydata_sphinx_theme"
html_title = "Syncpoint"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["languages", "theme-switcher"],
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "collapse_navigation": True,
    "footer_start": [],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# Released notebooks have no outputs, and nothing of them runs here.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
# A page that only another language has, from the folder of this one.
myst_url_schemes = {"http": None, "https": None, "other": {"url": "{{path}}#{{fragment}}"}}
html_math_renderer = "mathml"
# For `--outside`: a page that its own scripts make has its anchors later.
linkcheck_anchors = False
linkcheck_timeout = 20

autodoc_mock_imports = ["pytest"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
add_module_names = False
if tags.has("reference"):  # it is in English alone
    # simgpu is read and not imported: that would need PyTorch.
    extensions.append("autoapi.extension")
    autoapi_dirs = [str(ROOT / "simgpu" / "src")]
    autoapi_generate_api_docs = False
    autodoc_use_legacy_class_based = True  # autoapi's directives stand on it
    autoapi_add_toctree_entry = False
    autoapi_options = ["members", "undoc-members", "imported-members"]
# Of other people's packages, or not in the reference.
nitpick_ignore_regex = [(r"py:.*", r".*")]
suppress_warnings = ["myst.header", "autoapi.python_import_resolution"]
if tags.has("part"):  # what it leads to may be left out
    suppress_warnings.append("myst.xref_missing")


def _formula(writer, node):
    display = "block" if node.tagname == "math_block" else "inline"
    writer.body.append(latex2mathml.converter.convert(node.astext(), display=display))
    raise SkipNode


def _same_page(app, page, template, context, doctree):
    """Where this page is in the other languages, or else where they begin."""
    places = []
    for name, title in LANGUAGES.items():
        folder = Path(app.srcdir).parent / name
        there = any((folder / f"{page}{suffix}").is_file() for suffix in (".md", ".ipynb"))
        places.append(
            {
                "tag": name.replace("_", "-"),
                "title": title,
                "here": folder.name == Path(app.srcdir).name,
                "url": f"{context['content_root']}../{name}/{page if there else 'index'}.html",
            }
        )
    context["languages"] = places


# What opens a part of the navigation, to a screen reader.
PARTS = {"en": "Pages of this part", "zh_CN": "这一部分的页面", "pt_BR": "Páginas desta parte"}


# What stands around a page, where neither Sphinx nor the theme has the language.
WORDS = {
    "Back to top": {"zh_CN": "回到顶部", "pt_BR": "Voltar ao topo"},
    "Breadcrumb": {"zh_CN": "路径", "pt_BR": "Caminho"},
    "Collapse Sidebar": {"zh_CN": "收起侧边栏", "pt_BR": "Recolher a barra lateral"},
    "Color mode": {"zh_CN": "颜色模式", "pt_BR": "Modo de cor"},
    "Dark": {"zh_CN": "深色", "pt_BR": "Escuro"},
    "Expand Sidebar": {"zh_CN": "展开侧边栏", "pt_BR": "Expandir a barra lateral"},
    "Home": {"zh_CN": "首页", "pt_BR": "Início"},
    "Language": {"zh_CN": "语言", "pt_BR": "Idioma"},
    "Light": {"zh_CN": "浅色", "pt_BR": "Claro"},
    "On this page": {"zh_CN": "本页内容", "pt_BR": "Nesta página"},
    "Please activate JavaScript to enable the search functionality.": {"pt_BR": "A busca precisa de JavaScript."},
    "Search the docs ...": {"zh_CN": "搜索……", "pt_BR": "Buscar..."},
    "Section Navigation": {"zh_CN": "这一部分", "pt_BR": "Nesta parte"},
    "Site navigation": {"zh_CN": "网站导航", "pt_BR": "Navegação do site"},
    "Skip to main content": {"zh_CN": "跳到正文", "pt_BR": "Ir para o conteúdo"},
    "System Settings": {"zh_CN": "跟随系统", "pt_BR": "Como no sistema"},
    "Version warning": {"zh_CN": "版本提示", "pt_BR": "Aviso de versão"},
    "next page": {"zh_CN": "下一页", "pt_BR": "próxima página"},
    "previous page": {"zh_CN": "上一页", "pt_BR": "página anterior"},
}


def _words_around(app):
    if app.builder.format != "html":  # linkcheck makes no page
        return
    said = {english: words[app.config.language] for english, words in WORDS.items() if app.config.language in words}
    # First of all that is asked: the theme has some words in Chinese that are English.
    getattr(app.translator, "_catalog", {}).update(said)
    app.builder.theme_options["search_bar_text"] = app.translator.gettext("Search the docs ...")


def _named_parts(app, page, template, context, doctree):
    """A name for the arrows that open parts of the navigation: the theme has none."""
    contents = context.get("generate_toctree_html")
    if contents is None:
        return

    def named(kind, **options):
        made = contents(kind, **options)
        if kind != "sidebar":
            return made
        return str(made).replace("<summary>", f'<summary aria-label="{PARTS[Path(app.srcdir).name]}">')

    context["generate_toctree_html"] = named


def _no_empty_parts(app, config):
    """A page that is a part of the navigation by itself has no pages next to it."""
    if config.language != "en":
        config.html_sidebars = {"docs/students/*": []}


class Pairs(SearchChinese):
    """Chinese is found by each two signs that stand together, in the pages and in what somebody looks for alike.

    Sphinx' own way cuts words with a dictionary, but not in what is looked for: 异步计算 would find nothing.
    """

    language_name = "English"  # that of its stemmer: in the pages Sphinx asks for a ChineseStemmer, which is not there
    js_splitter_code = r"""var splitQuery = query => (query.match(/[\u3400-\u9fff]+|[A-Za-z0-9_]+/g) || []).flatMap(
        run => run < "\u3400" || run.length < 3 ? [run] : [...run].slice(1).map((sign, at) => run[at] + sign));
    """

    def split(self, input: str) -> list[str]:
        """The words of a text in Latin letters, and each pair of Chinese signs."""
        runs = re.findall(r"[\u3400-\u9fff]+", input)
        return [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))] + super().split(input)


def setup(app):
    """Formulas as MathML, the way to the other languages, and a search in Chinese."""
    languages["zh"] = Pairs
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))
    app.connect("config-inited", _no_empty_parts)
    app.connect("builder-inited", _words_around, priority=900)
    app.connect("html-page-context", _same_page)
    app.connect("html-page-context", _named_parts, priority=900)
