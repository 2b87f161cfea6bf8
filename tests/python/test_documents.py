"""The examples of docs/python.md, as they stand there."""
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_examples(capsys: "pytest.CaptureFixture[str]") -> None:
    """They run, and print an alignment."""
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert examples
    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)  # pylint: disable=exec-used
    assert capsys.readouterr().out.startswith("CLUSTAL")
    assert "alignment" in names
