"""A folder of a writer that was killed goes with the next one; a folder in use stays."""

import subprocess
import sys
from pathlib import Path

from syncpoint.core.locked_folder import locked_folder

MAKE = """
import pathlib, sys
from syncpoint.core.locked_folder import locked_folder
with locked_folder(pathlib.Path(sys.argv[1]), ".new-") as made:
    (made / "part").mkdir()
    print(made, flush=True)
    input()
"""


def test_a_folder_is_removed_in_the_end_or_by_the_next_after_a_kill(tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", MAKE, tmp_path], stdin=-1, stdout=-1, text=True) as writer:
        assert writer.stdout is not None
        left = Path(writer.stdout.readline().strip())
        with locked_folder(tmp_path, ".new-") as made:
            assert sorted(tmp_path.iterdir()) == sorted([left, made])
        assert list(tmp_path.iterdir()) == [left]
        writer.kill()
    assert (left / "part").is_dir()
    with locked_folder(tmp_path, ".new-") as made:
        assert list(tmp_path.iterdir()) == [made]
    assert list(tmp_path.iterdir()) == []
