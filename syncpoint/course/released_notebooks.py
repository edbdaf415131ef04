"""The students' side of an assignment: ``release/<assignment>/``, its notebooks in all languages."""

from dataclasses import dataclass
from pathlib import Path

from .errors import CourseError
from .intake import Template

LANGUAGES = "languages"  # in a release: files that differ in each language


@dataclass(frozen=True)
class Release:
    """The release folder of an assignment."""

    folder: Path

    def template(self, notebook: str, variant: str = "") -> Template:
        """Return a released notebook in a variant, as the template that submissions are compared with."""
        path = self.folder / f"{notebook}.ipynb"
        if not path.is_file():
            again = " --force" if self.folder.is_dir() else ""  # without --force, existing files stay
            raise CourseError(f"{path} is missing: run `nbgrader generate_assignment {self.folder.name}{again}` first.")
        return Template.read(path, variant=variant)

    def translations(self, notebook: str, variant: str = "") -> dict[str, Template]:
        """Return the same notebook in the release's other languages."""
        folders = sorted((self.folder / LANGUAGES).glob("[!._]*"))
        paths = {folder.name: folder / f"{notebook}.ipynb" for folder in folders}
        return {name: Template.read(path, name, variant) for name, path in paths.items() if path.is_file()}
