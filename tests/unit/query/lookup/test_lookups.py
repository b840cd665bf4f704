"""Look-ups by name, and descriptors, from the bundle alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from bundles import opened
from command_line import run

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound, UsageError
from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, descriptor_to_json
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.lookup.describe import describe
from hardtack.query.lookup.exports import exports
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.symbols import look_up, symbols_within

FILES = {
    "go.mod": "module github.com/me/my-shops\n",
    "shop/cart.go": """// Package shop sells.
package shop

import "fmt"

// Cart holds items.
type Cart struct {
	Items []string `json:"items"`
	total int
}

// Priced has a price.
type Priced interface {
	Price(currency string) (int, error)
}

// Open makes an empty cart.
func Open(name string, size int) (*Cart, error) { return nil, fmt.Errorf(name) }
""",
    "shop/add.go": """package shop

// Add puts an item in.
func (c *Cart) Add(item string) { c.Items = append(c.Items, item) }

func (c *Cart) sum() int { return c.total }
""",
    "other/cart.go": "package other\n\n// Cart of another kind.\ntype Cart struct{}\n",
    "tools/report.py": '''"""Reports."""

from abc import abstractmethod


class Report(dict):
    """A report."""

    title: str = "none"

    @staticmethod
    def of(path: str, *, deep: bool = False) -> "Report":
        """Make one."""
        return Report()

    @abstractmethod
    def _render(self) -> str: ...


def cart(items): ...
''',
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("look_ups"), FILES) as bundle:
        yield bundle


def paths_of(bundle: Bundle, ordinals: tuple[int, ...]) -> list[str]:
    return [bundle.file(bundle.symbol(ordinal).file).path for ordinal in ordinals]


def test_an_ambiguous_name_gives_every_symbol_that_has_it(bundle: Bundle) -> None:
    assert ["other/cart.go", "shop/cart.go"] == paths_of(bundle, look_up(bundle, "Cart", TYPES).ordinals)


def test_a_package_tells_two_of_one_name_apart(bundle: Bundle) -> None:
    assert ["shop/cart.go"] == paths_of(bundle, look_up(bundle, "Cart", TYPES, package="shop").ordinals)
    assert ["shop/cart.go"] == paths_of(bundle, look_up(bundle, "shop.Cart", TYPES).ordinals)


def test_the_exact_name_comes_before_the_same_name_in_other_case(bundle: Bundle) -> None:
    assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "cart", FUNCTIONS).ordinals)
    assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "CART", FUNCTIONS).ordinals)


def test_a_method_is_found_by_its_type(bundle: Bundle) -> None:
    for found in (look_up(bundle, "Cart.Add", FUNCTIONS), look_up(bundle, "Add", FUNCTIONS, owner="Cart")):
        assert ["shop/add.go"] == paths_of(bundle, found.ordinals)
    for owner in ("shop.Cart", "shop::Cart<T>"):
        assert ["shop/add.go"] == paths_of(bundle, look_up(bundle, "Add", FUNCTIONS, owner=owner).ordinals)
    for owner in ("Report", "other.Cart", "art", "shop"):
        assert () == look_up(bundle, "Add", FUNCTIONS, owner=owner).ordinals


def test_a_name_that_is_nowhere_gives_the_nearest(bundle: Bundle) -> None:
    found = look_up(bundle, "Crat", TYPES)
    assert () == found.ordinals
    assert "Cart" == found.suggestions[0]


def test_a_class_is_described_with_fields_tags_and_the_methods_of_every_file(bundle: Bundle) -> None:
    cart = describe(bundle, look_up(bundle, "shop.Cart", TYPES).ordinals[0])
    assert isinstance(cart, ClassDescriptor)
    assert ("go", "struct", "Cart", "shop.Cart") == (cart.language, cart.kind, cart.name, cart.full_name)
    assert "Cart holds items." == cart.description
    assert [("Items", "[]string", "exported", 'json:"items"'), ("total", "int", "private", "")] == [
        (field.name, field.type, field.visibility, field.tag) for field in cart.fields
    ]
    assert ["Add", "sum"] == [method.name for method in cart.methods]
    assert cart.location is not None
    assert ("shop/cart.go", 7, 10) == (cart.location.file_path, cart.location.start_line, cart.location.end_line)


def test_a_function_is_described_with_parameters_returns_and_code(bundle: Bundle) -> None:
    function = describe(bundle, look_up(bundle, "Open", FUNCTIONS).ordinals[0])
    assert isinstance(function, FunctionDescriptor)
    assert [("name", "string"), ("size", "int")] == [(each.name, each.type) for each in function.parameters]
    assert ["*Cart", "error"] == [each.type for each in function.returns]
    assert function.code.startswith("func Open(")
    assert "exported" == function.visibility


def test_static_and_abstract_methods_say_so(bundle: Bundle) -> None:
    of = describe(bundle, look_up(bundle, "Report.of", FUNCTIONS).ordinals[0])
    render = describe(bundle, look_up(bundle, "_render", FUNCTIONS).ordinals[0])
    assert isinstance(of, FunctionDescriptor)
    assert isinstance(render, FunctionDescriptor)
    assert (True, False, "public") == (of.is_static, of.is_abstract, of.visibility)
    assert (False, True, "private") == (render.is_static, render.is_abstract, render.visibility)
    assert ("deep", "bool", "False") == (of.parameters[-1].name, of.parameters[-1].type, of.parameters[-1].default)


def test_json_leaves_out_what_says_nothing_but_never_the_name(bundle: Bundle) -> None:
    document = descriptor_to_json(describe(bundle, look_up(bundle, "other.Cart", TYPES).ordinals[0]))
    assert ["language", "kind", "name"] == list(document)[:3]
    assert not {"methods", "table", "tags", "fields"} & document.keys()


def test_a_package_exports_what_stands_at_its_top_and_is_not_hidden(bundle: Bundle) -> None:
    names = [bundle.symbol(ordinal).name for ordinal in exports(bundle, "shop")]
    assert ["Cart", "Priced", "Open"] == [name for name in names if name in ("Cart", "Priced", "Open")]
    assert "sum" not in names


def test_where_no_package_is_declared_the_path_is_the_package(bundle: Bundle) -> None:
    assert ["Report", "cart"] == [bundle.symbol(ordinal).name for ordinal in exports(bundle, "tools.report")]
    assert ["cart"] == [bundle.symbol(ordinal).name for ordinal in exports(bundle, "report", FUNCTIONS)]


def test_a_name_that_is_like_none_gets_no_suggestions(bundle: Bundle) -> None:
    assert ((), ()) == (look_up(bundle, "é", TYPES).ordinals, look_up(bundle, "é", TYPES).suggestions)


def test_a_package_is_told_by_the_path_where_none_is_declared(bundle: Bundle) -> None:
    for package in ("tools", "tools.report", "tools/report", "report"):
        assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "cart", FUNCTIONS, package=package).ordinals)
    assert () == look_up(bundle, "cart", FUNCTIONS, package="tool").ordinals
    assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "tools.report.Report", TYPES).ordinals)


def test_parts_of_a_qualified_name_may_be_left_out(bundle: Bundle) -> None:
    assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "tools.Report", TYPES).ordinals)
    assert ["tools/report.py"] == paths_of(bundle, look_up(bundle, "tools.Report.of", FUNCTIONS).ordinals)
    assert () == look_up(bundle, "report.tools.Report", TYPES).ordinals
    assert () == look_up(bundle, "shop.Report", TYPES).ordinals


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("github.com/me/my-shops/shop.Cart", "shop/cart.go"),
        ("Report[str]", "tools/report.py"),
        ("crate::Report<T>", "tools/report.py"),
        ("self.Report", "tools/report.py"),
    ],
)
def test_a_name_may_be_written_as_code_writes_it(bundle: Bundle, name: str, path: str) -> None:
    assert [path] == paths_of(bundle, look_up(bundle, name, TYPES).ordinals)


def test_a_call_names_its_function(bundle: Bundle) -> None:
    assert ["shop/cart.go"] == paths_of(bundle, look_up(bundle, "shop.Open()", FUNCTIONS).ordinals)
    assert ["shop/add.go"] == paths_of(bundle, look_up(bundle, "Cart.Add(item string)", FUNCTIONS).ordinals)
    assert () == look_up(bundle, "()", FUNCTIONS).ordinals


def test_what_declares_its_package_wins_over_paths(bundle: Bundle) -> None:
    assert ["shop/cart.go"] == paths_of(bundle, look_up(bundle, "Open", FUNCTIONS, package="shop").ordinals)
    assert ["shop/add.go"] == paths_of(bundle, look_up(bundle, "Add", FUNCTIONS, package="shop").ordinals)


def test_symbols_within_a_name_are_it_and_what_its_name_goes_on_with(bundle: Bundle) -> None:
    names = [bundle.symbol_name(ordinal).qualified_name for ordinal in symbols_within(bundle, "Cart")]
    assert sorted({"Cart", "Cart.Items", "Cart.total", "Cart.Add", "Cart.sum"}) == sorted(set(names))
    assert [] == list(symbols_within(bundle, "Car"))
    for written_like_a_pattern in ("cart.*", "Car(", "Cart["):
        assert [] == list(symbols_within(bundle, written_like_a_pattern))


def test_a_look_up_of_an_ambiguous_name_lists_all_and_the_one_that_is_meant_is_refused(bundle: Bundle) -> None:
    look_ups = LookUps(bundle)
    assert (2, 2) == (len(look_ups.define("Cart").results), look_ups.define("Cart").total)
    with pytest.raises(UsageError) as refused:
        look_ups.one_type("Cart")
    assert ("SYMBOL_AMBIGUOUS", ["other/cart.go", "shop/cart.go"]) == (
        refused.value.code,
        [each["file_path"] for each in refused.value.details["candidates"]],
    )
    assert "package or file" in refused.value.hint
    assert "shop.Cart" == look_ups.one_type("Cart", package="shop").full_name
    assert "shop.Cart" == look_ups.one_type("Cart", file="shop/cart.go").full_name
    with pytest.raises(NotFound) as missing:
        look_ups.one_function("Nowhere")
    assert "SYMBOL_NOT_FOUND" == missing.value.code


def test_the_verbs_take_a_file_to_prefer(bundle: Bundle) -> None:
    def told(*arguments: str) -> list[str]:
        document = json.loads(run(*arguments, "-b", bundle.path, "--json").stdout)
        return [each["location"]["uri"].partition("#")[0] for each in document["results"]]

    assert ["hardtack://bundle/shop/cart.go"] == told("define", "Cart", "--file", "shop/cart.go")
    assert 2 == len(told("define", "Cart"))
    assert ["hardtack://bundle/tools/report.py"] == told("function", "cart", "--file", "tools/report.py")
