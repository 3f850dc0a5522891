"""The examples of the documentation, and the type stubs."""

import ast
import doctest
import inspect
import pathlib

import pytest

import agon
import agon._agon
import agon.errors
import agon.progress
import agon.report

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [agon, agon._agon, agon.errors, agon.progress, agon.report]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    """Every object of the package that has a docstring with examples, by name."""
    seen = {}
    for module in MODULES:
        seen[module.__name__] = module
        for name, value in vars(module).items():
            home = getattr(value, "__module__", None)
            if name.startswith("__") or not (home or "").startswith("agon"):
                continue
            seen[f"{home}.{name}"] = value
            if inspect.isclass(value):
                for part, member in vars(value).items():
                    seen[f"{home}.{name}.{part}"] = member
    return {name: value for name, value in seen.items() if ">>>" in (getattr(value, "__doc__", None) or "")}


def run(name, text):
    test = doctest.DocTestParser().get_doctest(text, {"agon": agon, **vars(agon)}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    out = []
    runner.run(test, out=out.append)
    assert runner.failures == 0, "".join(out)


@pytest.mark.parametrize("name", sorted(documented()))
def test_the_examples_of_a_docstring_are_true(name):
    run(name, inspect.cleandoc(documented()[name].__doc__))


def test_examples_are_found_everywhere():
    names = set(documented())
    assert len(names) >= 20 and any("Position" in name for name in names) and any("solve" in name for name in names)


@pytest.mark.parametrize("page", ["python/README.md", "docs/python.md"])
def test_the_examples_of_a_page_are_true(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [block.split("```", 1)[0] for block in text.split("```python\n")[1:]]
    assert blocks
    # One page is one session; what needs other packages is marked by another language.
    run(page, "\n".join(blocks))


def test_everything_public_is_documented():
    for name in agon.__all__:
        value = getattr(agon, name)
        if name.startswith("__") or inspect.ismodule(value):
            continue
        assert (value.__doc__ or "").strip(), name
        if inspect.isclass(value) and value.__module__ == "agon":
            for part, member in vars(value).items():
                if not part.startswith("_"):
                    assert (member.__doc__ or "").strip(), f"{name}.{part}"


def test_the_stubs_name_what_is_there_with_its_parameters():
    tree = ast.parse((pathlib.Path(agon.__file__).parent / "_agon.pyi").read_text(encoding="utf-8"))

    def parameters(node):
        return [argument.arg for argument in node.args.args + node.args.kwonlyargs]

    stubs, classes = {}, {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            stubs[node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef) and node.name != "Rules":
            classes[node.name] = {part.name: parameters(part) for part in node.body if isinstance(part, ast.FunctionDef)}
    public = {name: value for name, value in vars(agon._agon).items() if not name.startswith("_")}
    assert set(stubs) | set(classes) == set(public)
    for name, names in stubs.items():
        assert list(inspect.signature(public[name]).parameters) == names, name
    for name, parts in classes.items():
        members = {part for part in vars(public[name]) if not part.startswith("__")}
        assert members == {part for part in parts if not part.startswith("__")}, name
        for part, names in parts.items():
            member = getattr(public[name], part)
            if callable(member) and not part.startswith("__"):
                signature = list(inspect.signature(member).parameters)
                assert signature == names, f"{name}.{part}"


def test_the_package_starts_no_process():
    source = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path(agon.__file__).parent.glob("*.py"))
    assert "subprocess" not in source and "os.system" not in source and "Popen" not in source
