"""The options of the program as keyword arguments: every test walks accord.OPTIONS, so that an
option is tested that the library has."""
import inspect
import json

import accord
import pytest
from helpers import DATASETS, EXAMPLE, program

PROTEINS, NUCLEOTIDES = EXAMPLE, DATASETS / "primates.fa"
FUNCTIONS = {
    accord.align: ("input", "track", "models", "method"), accord.codon: ("models", "method"),
    accord.ensemble: ("input", "track", "models", "method"),
    **dict.fromkeys((accord.add, accord.merge), ("track", "models")),
    **dict.fromkeys((accord.confidence, accord.distances, accord.posteriors, accord.tree,
                     accord.trim), ("models",))}


def value_of(option, text):
    """The text of an example as a caller of Python gives it."""
    if "file" in option.type and text not in option.words:
        return DATASETS / text
    if option.type == "numbers":
        return tuple(map(float, text.split(",")))
    return {"flag": lambda _: True, "count": int}.get(option.type, str)(text)


def keywords_of(option):
    """The option with its example, and those that it needs."""
    return {name: value_of(accord.OPTIONS[name], text)
            for name, text in (*option.needs, (option.name, option.example))}


def words_of(keywords):
    """The same on a command line."""
    words = []
    for name, value in keywords.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, tuple) else str(value))
    return words


def checksum(family, keywords, tmp_path):
    """That of the parameters of a run in Python, which is also that of the program; the error if
    the family is refused."""
    path = tmp_path / "r.json"
    try:
        report = accord.align(family, **keywords).report
    except accord.InputError as error:
        said = program(family, *words_of(keywords), status=65).stderr.decode()
        assert str(error) in said
        return str(error)
    program(family, "-o", tmp_path / "x.fa", "--report", path, *words_of(keywords))
    expected = json.loads(path.read_text(encoding="utf-8"))
    for key in ("parameters", "parameters_sha256"):
        assert report[key] == expected[key]
    return report["parameters_sha256"]


@pytest.mark.parametrize("name", accord.OPTIONS)
def test_an_option_means_what_it_means_on_a_command_line(name, tmp_path):
    """And it decides something, but for some of the input."""
    option = accord.OPTIONS[name]
    family = NUCLEOTIDES if option.group == "input" else PROTEINS
    with_it = keywords_of(option)
    assert with_it[name] != option.default
    without = {other: value for other, value in with_it.items()
               if other != name and name not in dict(accord.OPTIONS[other].needs)}
    found = checksum(family, with_it, tmp_path)
    if option.group != "input":  # which decides little for an input without oddities
        assert found != checksum(family, without, tmp_path)
    if option.default is not None:
        assert accord.align(family, **without, **{name: None}).report["parameters"] == accord.align(
            family, **without, **{name: option.default}).report["parameters"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_signatures_have_the_options(function):
    """With their defaults; what has another name is a TypeError."""
    parameters = inspect.signature(function).parameters
    for name, option in accord.OPTIONS.items():
        if option.group in FUNCTIONS[function]:
            assert parameters[name].kind == inspect.Parameter.KEYWORD_ONLY
            assert parameters[name].default == option.default
    assert all(known.kind != inspect.Parameter.VAR_KEYWORD for known in parameters.values())
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) has no argument 'matrx'; "
                                        "did you mean 'matrix'"):
        function(matrx="blosum62.txt")


def test_documentation_has_the_options():
    """With their help, in lines of the width of the sources."""
    lines = accord.align.__doc__.splitlines()
    for name in accord.OPTIONS:
        assert sum(line.startswith(f"    {name} ") for line in lines) == 1
    assert all(len(line) <= 100 and "{" not in line for line in lines)


def test_wrong_values_are_errors_with_a_hint():
    """Of every type that has wrong values."""
    for option in accord.OPTIONS.values():
        if option.type in ("count", "word", "numbers"):
            with pytest.raises(accord.InputError, match=f"^{option.name} x1: ") as caught:
                accord.align(EXAMPLE, **{option.name: "x1"})
            assert caught.value.kind == "usage" and caught.value.hint.startswith("use ")
