"""What MkDocs does beside reading docs/: the page of the command line comes from the program, the
map of the code from src/README.md."""
import sys
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
import reference


def on_files(files: Files, *, config: Any, **_: Any) -> Files:
    """Adds reference.md and development/map.md."""
    try:
        text = reference.markdown(reference.program_path())
    except reference.PageError as error:
        raise PluginError(str(error)) from error
    files.append(File.generated(config, "reference.md", content=text))
    code_map = (reference.ROOT / "src" / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "development/map.md", content=code_map))
    return files
