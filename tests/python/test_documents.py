"""The examples of docs/python.md, as they stand there: doctest runs them."""
import doctest
import re
from pathlib import Path

import pytest
from helpers import DATASETS, ROOT

PAGE = ROOT / "docs" / "python.md"
EXAMPLES = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


def examples() -> "list[tuple[int, str]]":
    """The line of each block of the page, and its text."""
    page = PAGE.read_text(encoding="utf-8")
    return [(page.count("\n", 0, match.start()) + 1, match.group(1))
            for match in EXAMPLES.finditer(page)]


def failures(blocks: "list[tuple[int, str]]") -> str:
    """What doctest says of blocks that do not print what they show; they share their names."""
    names: dict[str, object] = {}
    said: list[str] = []
    for line, block in blocks:
        test = doctest.DocTestParser().get_doctest(block, names, PAGE.name, str(PAGE), line)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
    return "".join(said)


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They run, and print what is shown; those of scikit-bio where it is installed."""
    (tmp_path / "datasets").symlink_to(DATASETS)
    monkeypatch.chdir(tmp_path)
    blocks = examples()
    assert len(blocks) > 8
    of_skbio = [block for block in blocks if "skbio" in block[1]]
    assert of_skbio and failures([block for block in blocks if block not in of_skbio]) == ""
    pytest.importorskip("skbio")
    assert failures(blocks) == ""


def test_a_wrong_output_is_found() -> None:
    """And so is an example that fails."""
    assert failures([(1, ">>> x = 1\n"), (2, ">>> x\n1\n")]) == ""
    for block in (">>> 1\n2\n", ">>> y\n1\n"):
        assert failures([(1, block)])
