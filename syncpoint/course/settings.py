"""The judge's settings in nbgrader_config.py, ``c.GradeSubmission.<name>``, as plain data."""

from dataclasses import fields
from typing import Any

from traitlets import Enum, Unicode
from traitlets.config import Config, Configurable

from ..core.language import SOURCE
from ..core.limits import Isolation, Limits
from ..core.settings import Settings
from ..engines.find import DEFAULT
from .traits import configurable

SECTION = "GradeSubmission"


class _Chosen(Configurable):
    """The settings that are not limits."""

    engine = Unicode(
        DEFAULT,
        help="The engine of assignments that name none. Its environment is .venv-<engine> in the course folder.",
    ).tag(config=True)
    isolation = Enum(
        Isolation.__args__,  # type: ignore[attr-defined]
        Settings.isolation,
        help='How student code is isolated. "none" runs it with your own permissions: use it only if you trust every '
        "submission.",
    ).tag(config=True)
    misconceptions_url = Unicode(
        "",
        help="The web address of docs/students/misconceptions.md, for links in feedback; empty: no links. "
        "`{language}` in the address stands for the language of the feedback: en, zh_CN, pt_BR.",
    ).tag(config=True)
    language = Unicode(
        SOURCE,
        help='The default language of assignments, such as "pt_BR". Releases have the other languages in `languages/`.',
    ).tag(config=True)


# Each limit is a setting: a new field of Limits appears here automatically.
SettingTraits: Any = configurable("SettingTraits", Limits, __name__, _Chosen)


class _Reader(SettingTraits):
    """Reads the section of another class."""

    @classmethod
    def section_names(cls) -> list[str]:
        return [SECTION]


def _settings_of(traits: Any) -> Settings:
    limits = Limits(**{limit.name: getattr(traits, limit.name) for limit in fields(Limits)})
    return Settings(
        traits.engine, traits.isolation, limits, traits.misconceptions_url, traits.language, _on_command_line(traits)
    )


def _on_command_line(traits: Any) -> frozenset[str]:
    given: set[str] = set()
    owner = traits.parent
    while owner is not None:
        for section in traits.section_names():
            given |= set(getattr(owner, "cli_config", {}).get(section, {}))
        owner = getattr(owner, "parent", None)
    return frozenset(given)


def read_settings(config: Config) -> Settings:
    """Return the settings in a configuration. Raises traitlets' TraitError for an invalid value."""
    return _settings_of(_Reader(config=config))


def settings_for(parent: Configurable) -> Settings:
    """Return a grading program's settings, of its configuration and command line. Raises traitlets' TraitError."""
    return _settings_of(_Reader(parent=parent))
