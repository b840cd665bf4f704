"""Descriptors of types and functions, from bundles that hold a few lines of each language."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from bundles import opened

from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor
from hardtack.nouns.model import TYPES
from hardtack.query.lookup.describe import describe
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.symbols import look_up
from hardtack.render.descriptors import render_descriptor

FILES = {
    "py/model.py": '''class Crate(Base, metaclass=Meta):
    """A box.

    Attributes:
        label: what it says.
        place (Place): where it stands.
    """

    __slots__ = ("seal",)
    label: str = "none"
    count = 0

    def __init__(self, owner: Person, at, *rest):
        """Make one.

        Args:
            at (int): where.

        Raises:
            ValueError: if it is full.
        """
        self.owner = owner
        self.at = at
        self.items = []
        self.lid = Lid(1)
        if rest:
            self._left, self._right = rest
        self.count: int = 1

    @property
    def size(self) -> int:
        """How big."""

    @size.setter
    def size(self, value): ...

    @classmethod
    async def open(cls): ...


@dataclass(frozen=True)
class Label:
    text: str
    colours: list[str] = field(default_factory=list)


class Side(enum.Enum):
    PORT = 1


class Stower(Protocol):
    def stow(self) -> int: ...
''',
    "go/a/crate.go": "package a\n\ntype Crate struct {\n\t*Lid\n\tn int\n}\n\ntype Lids map[string]*Lid\n",
    "go/a/more.go": "package a\n\n// Deprecated: use Shut.\nfunc (c *Crate) Open() {}\n",
    "go/b/crate.go": "package a\n\ntype Crate struct{}\n\nfunc (c Crate) Other() {}\n",
    "rs/crate.rs": """pub struct Crate { pub size: u8 }
impl Crate {
    pub fn size(&self) -> u8 { 1 }
    pub(crate) fn make() {}
}
""",
    "rs/show.rs": "impl Show for Crate {\n    fn show(&self) {}\n}\npub trait Show { fn show(&self); fn twice(&self) {} }\n",
    "cs/a.cs": """namespace Yard;
/// <summary>Holds <see cref="T:Yard.Item"/>s.</summary>
/// <remarks>More.</remarks>
public partial class Crate : Base { protected internal int a; public Crate(int x) {} }
""",
    "cs/b.cs": "namespace Yard;\npublic partial class Crate { internal sealed override void More() {} }\n",
    "cs/c.cs": "namespace Other;\npublic class Crate { void Elsewhere() {} }\n",
    "rb/a.rb": "class Crate\n  attr_reader :label\n  def initialize; @label = 1; @hidden = []; end\nend\n",
    "rb/b.rb": "class Crate\n  def self.make; end\nend\n",
    "swift/a.swift": """class Crate {
  private(set) public var n: Int = 1
  class func make() {}
}
extension Crate: Show {
  func show() {}
}
""",
    "kt/a.kt": """package yard
open class Crate(val label: String) {
  fun shut() {}
  open fun open() {}
}
fun Crate.twice() {}
""",
    "dart/a.dart": "abstract class Crate {\n  int shut();\n}\nextension More on Crate {\n  int twice() => 2;\n}\n",
    "cpp/crate.h": "class Crate {\n public:\n  int open(int at);\n  virtual int weigh() const = 0;\n private:\n  int n_ = 1;\n};\n",
    "cpp/crate.cpp": "int Crate::open(int at) { return at; }\nint Crate::late() { return 1; }\n",
    "php/a.php": """<?php
/** @property int $magic Words. */
class Crate {
  public function __construct(private int $size) {}
}
""",
    "ts/a.ts": """export interface Crate { size: number; open(): void }
class Box { get size(): number { return 1 } set size(x) {} }
""",
    "java/A.java": """interface Keeper { int keep(int at); default void drop() {} }
class Crate {
  /** Opens.
   * @throws IOException when stuck
   * @deprecated use shut
   */
  int open() { return 1; }
}
""",
    "java/Owner.java": """@Entity
@Table(name = "owners")
class Owner {
  @Id @GeneratedValue
  int id;
  @GetMapping("/x") int go() { return id; }
}
""",
    "java/Shapes.java": "interface Shape {}\nabstract class Poly implements Shape {}\n"
    + "".join(f"class Poly{n} extends Poly {{}}\n" for n in range(12)),
    "cs/Owner.cs": """[Table("owners")]
class Owner
{
  [Key] public int Id { get; set; }
  [HttpGet("x")] public int Go() { return Id; }
}
""",
    "ts/owner.ts": "@Component({ a: 1 })\nclass Owner {\n  @Input() id = 1;\n  @HostListener('x') go() {}\n}\n",
    "php/Owner.php": "<?php\n#[ORM\\Entity]\nclass Owner {\n  #[ORM\\Id]\n  public $id;\n  #[Route('/x')]\n  function go() {}\n}\n",
}

Find = Callable[[str, str], ClassDescriptor]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("describe"), FILES) as bundle:
        yield bundle


@pytest.fixture(scope="module")
def find(bundle: Bundle) -> Find:
    def descriptor(path: str, name: str) -> ClassDescriptor:
        found = look_up(bundle, name, TYPES).ordinals
        at = [ordinal for ordinal in found if bundle.file(bundle.symbol(ordinal).file).path == path]
        descriptor = describe(bundle, at[0])
        assert isinstance(descriptor, ClassDescriptor)
        return descriptor

    return descriptor


def names(descriptor: ClassDescriptor) -> tuple[list[str], list[str]]:
    """Of its fields and of its methods."""
    return [field.name for field in descriptor.fields], [method.name for method in descriptor.methods]


def method(descriptor: ClassDescriptor, name: str) -> FunctionDescriptor:
    return next(each for each in descriptor.methods if each.name == name)


def test_what_python_sets_on_self_is_a_field_whose_type_says_where_it_is_from(find: Find) -> None:
    crate = find("py/model.py", "Crate")
    assert [(field.name, field.type, field.source_hint, field.default) for field in crate.fields] == [
        ("__slots__", "tuple", "inferred", '("seal",)'),
        ("label", "str", "", '"none"'),
        ("count", "int", "inferred", "0"),
        ("size", "int", "", ""),
        ("seal", "", "", ""),
        ("owner", "Person", "inferred", ""),
        ("at", "int", "phpdoc", ""),
        ("items", "list", "inferred", "[]"),
        ("lid", "Lid", "inferred", "Lid(1)"),
        ("_left", "", "", ""),
        ("_right", "", "", ""),
        ("place", "Place", "phpdoc", ""),
    ]
    described = {field.name: field.description for field in crate.fields}
    assert ("what it says.", "where it stands.", "How big.") == (described["label"], described["place"], described["size"])
    assert "private" == next(field.visibility for field in crate.fields if field.name == "_left")


def test_a_class_of_python_tells_its_kind_in_its_metadata(find: Find) -> None:
    crate = find("py/model.py", "Crate")
    assert (["Base"], "Meta") == (crate.metadata["bases"], crate.metadata["metaclass"])
    assert {"size": {"has_getter": True, "has_setter": True}} == crate.metadata["properties"]
    keys = {"Label": "is_dataclass", "Side": "is_enum", "Stower": "is_protocol"}
    flags = {name: [key for key in keys.values() if find("py/model.py", name).metadata.get(key)] for name in keys}
    assert {name: [key] for name, key in keys.items()} == flags


def test_functions_of_python_that_read_or_set_a_property_are_accessor_and_mutator(find: Find) -> None:
    kinds = [(each.name, each.kind, each.is_static) for each in find("py/model.py", "Crate").methods]
    assert [
        ("__init__", "constructor", False),
        ("size", "accessor", False),
        ("size", "mutator", False),
        ("open", "method", True),
    ] == kinds
    opened = method(find("py/model.py", "Crate"), "open")
    assert (True, True) == (opened.metadata["is_async"], opened.metadata["is_classmethod"])


def test_what_documentation_says_is_thrown_or_deprecated_is_told(find: Find) -> None:
    assert ["ValueError if it is full."] == method(find("py/model.py", "Crate"), "__init__").metadata["throws"]
    opened = method(find("java/A.java", "Crate"), "open")
    assert (["IOException when stuck"], "use shut") == (opened.metadata["throws"], opened.metadata["deprecated"])
    assert "use Shut." == method(find("go/a/crate.go", "Crate"), "Open").metadata["deprecated"]


def test_a_type_of_go_has_the_methods_of_its_folder_and_no_others(find: Find) -> None:
    assert (["Lid", "n"], ["Open"]) == names(find("go/a/crate.go", "Crate"))
    assert ([], ["Other"]) == names(find("go/b/crate.go", "Crate"))


def test_type_info_of_go_says_what_kind_of_type_it_is(find: Find) -> None:
    wanted = {"kind": "struct", "is_exported": True, "fields": ["Lid", "n"], "methods": ["Open"], "embeds": ["*Lid"]}
    assert wanted == find("go/a/crate.go", "Crate").metadata["type_info"]
    wanted = {"kind": "map", "underlying": "map[string]*Lid", "is_exported": True}
    assert wanted == find("go/a/crate.go", "Lids").metadata["type_info"]


def test_impl_blocks_of_any_file_join_their_type_and_a_field_hides_no_method(find: Find) -> None:
    crate = find("rs/crate.rs", "Crate")
    assert (["size"], ["size", "make", "show"]) == names(crate)
    assert [("Show", "implements")] == [(each.name, each.relation_kind) for each in crate.relations]
    make = method(crate, "make")
    assert (True, "private", "pub(crate)") == (make.is_static, make.visibility, make.metadata["scope"])


def test_a_trait_is_abstract_where_it_has_no_body(find: Find) -> None:
    assert [True, False] == [each.is_abstract for each in find("rs/show.rs", "Show").methods]
    assert [True, False] == [each.is_abstract for each in find("java/A.java", "Keeper").methods]
    assert [True] == [each.is_abstract for each in find("ts/a.ts", "Crate").methods]


def test_parts_of_a_partial_class_are_one_and_other_namespaces_have_their_own(find: Find) -> None:
    for path in ("cs/a.cs", "cs/b.cs"):
        assert {"Crate", "More"} == set(names(find(path, "Crate"))[1])
    assert (["a"], ["Crate", "More"]) == names(find("cs/a.cs", "Crate"))
    assert ([], ["Elsewhere"]) == names(find("cs/c.cs", "Crate"))
    more = method(find("cs/a.cs", "Crate"), "More")
    assert (True, "private", "internal") == (more.is_final, more.visibility, more.metadata["scope"])
    assert ["protected"] == [field.visibility for field in find("cs/a.cs", "Crate").fields]


def test_a_type_in_parts_is_told_once_and_says_where_its_parts_are(bundle: Bundle) -> None:
    descriptors = LookUps(bundle).define("Yard.Crate").results
    assert [("Crate", ["cs/b.cs:2-2"])] == [(each.name, each.metadata["parts"]) for each in descriptors]
    assert 2 == len(LookUps(bundle).define("Crate", package="a").results)


def test_the_summary_of_csharp_is_the_description(find: Find) -> None:
    assert "Holds Yard.Items." == find("cs/a.cs", "Crate").description


def test_a_class_that_ruby_opens_again_is_one(find: Find) -> None:
    crate = find("rb/a.rb", "Crate")
    assert (["label", "@hidden"], ["initialize", "make"]) == names(crate)
    assert method(crate, "make").is_static


def test_extensions_belong_to_what_they_extend(find: Find) -> None:
    crate = find("swift/a.swift", "Crate")
    assert (["n"], ["make", "show"]) == names(crate)
    assert [("Show", "implements")] == [(each.name, each.relation_kind) for each in crate.relations]
    assert ("public", True) == (crate.fields[0].visibility, method(crate, "make").is_static)
    assert (["label"], ["shut", "open", "twice"]) == names(find("kt/a.kt", "Crate"))
    assert ([], ["shut", "twice"]) == names(find("dart/a.dart", "Crate"))


def test_functions_of_kotlin_are_final_unless_they_are_open(find: Find) -> None:
    assert [("shut", True), ("open", False), ("twice", False)] == [
        (each.name, each.is_final) for each in find("kt/a.kt", "Crate").methods
    ]


def test_a_function_of_cpp_that_is_defined_outside_is_there_once(find: Find) -> None:
    crate = find("cpp/crate.h", "Crate")
    assert (["n_"], ["open", "weigh", "late"]) == names(crate)
    assert [False, True, False] == [each.is_abstract for each in crate.methods]


def test_what_a_constructor_promotes_and_what_only_a_comment_declares_are_fields(find: Find) -> None:
    crate = find("php/a.php", "Crate")
    assert [("size", "int", "private", ""), ("magic", "int", "public", "phpdoc")] == [
        (field.name, field.type, field.visibility, field.source_hint) for field in crate.fields
    ]


def test_a_getter_is_a_field_too(find: Find) -> None:
    box = find("ts/a.ts", "Box")
    assert [("size", "number")] == [(field.name, field.type) for field in box.fields]
    assert ["accessor", "mutator"] == [each.kind for each in box.methods]


@pytest.mark.parametrize(
    ("path", "of_type", "of_field", "of_method"),
    [
        ("java/Owner.java", ["@Entity", '@Table(name = "owners")'], "@Id @GeneratedValue", ['@GetMapping("/x")']),
        ("cs/Owner.cs", ['Table("owners")'], "Key", ['HttpGet("x")']),
        ("ts/owner.ts", ["@Component({ a: 1 })"], "@Input()", ["@HostListener('x')"]),
        ("php/Owner.php", ["#[ORM\\Entity]"], "#[ORM\\Id]", ["#[Route('/x')]"]),
    ],
)
def test_annotations_are_shown_with_what_they_belong_to(
    find: Find, path: str, of_type: list[str], of_field: str, of_method: list[str]
) -> None:
    owner = find(path, "Owner")
    assert (of_type, of_field) == (owner.metadata["decorators"], owner.fields[0].tag)
    assert of_method == owner.methods[-1].metadata["decorators"]
    shown = render_descriptor(owner)
    assert all(f"`{each}`" in shown for each in (*of_type, of_field, *of_method))


def test_a_type_lists_what_extends_implements_and_embeds_it(find: Find) -> None:
    implementer = {"name": "Poly", "relation": "implements", "place": "java/Shapes.java:2-2"}
    assert [implementer] == find("java/Shapes.java", "Shape").metadata["subtypes"]
    assert ["Crate"] == [each["name"] for each in find("rs/show.rs", "Show").metadata["subtypes"]]
    poly = find("java/Shapes.java", "Poly")
    assert ([f"Poly{n}" for n in range(10)], 2) == (
        [each["name"] for each in poly.metadata["subtypes"]],
        poly.metadata["more_subtypes"],
    )
    shown = render_descriptor(poly)
    assert "- `Poly0` inherits from it `java/Shapes.java:3-3`" in shown.splitlines()
    assert "- 2 more: ask for the implementations of `Poly`" in shown.splitlines()
