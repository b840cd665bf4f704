"""Of ctags 5.9: what its kinds are called here, which of them are no definitions, and where it is wrong. Read by ctags_oracle.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_VALUES = "variable constant property field"
_HEADINGS = dict.fromkeys(("chapter", "section", "subsection", "subsubsection", "l4subsection", "l5subsection", "title"), "section")
_KEYS = dict.fromkeys(("key", "string", "number", "boolean", "null", "array", "object"), "key")
_C = {
    "macro": "macro",
    "enumerator": "enum_member",
    "function": "function method constructor",
    "enum": "enum",
    "header": "-import",  # #include
    "member": "field property method",
    "struct": "struct class",
    "union": "struct",
    "class": "class",
    "namespace": "namespace",
    "typedef": "type",
    "variable": "variable constant field",
}

# ctags language -> its kind -> ours, any of which agrees. "-reason": left out, and why. A kind that is missing here is counted,
# agrees with nothing, and is named in the output.
KINDS: Mapping[str, Mapping[str, str]] = {
    "Python": {
        "class": "class enum",
        "function": "function",
        "member": "method constructor property function",
        "variable": _VALUES + " enum_member type",
        "namespace": "-import",  # import a as b
        "unknown": "-import",  # from a import b
        "module": "-import",
    },
    "Go": {
        "package": "package",
        "packageName": "-import",  # import b "a"
        "func": "function method",
        "interface": "interface",
        "struct": "struct",
        "type": "type interface",
        "talias": "type",
        "member": "field",
        "anonMember": "field",
        "methodSpec": "method",
        "const": "constant",
        "var": "variable",
        "unknown": "field type",
    },
    "TypeScript": {
        "class": "class",
        "enum": "enum",
        "enumerator": "enum_member",
        "interface": "interface",
        "namespace": "namespace",
        "function": "function",
        "generator": "function",
        "method": "method constructor",
        "property": "property method function",
        "constant": "constant function variable class",
        "variable": "variable constant function",
        "alias": "type constant",  # those inside an import statement are left out: see _is_import
    },
    "JavaScript": {
        "class": "class",
        "function": "function method constructor",
        "generator": "function method",
        "method": "method constructor function property",
        "getter": "method property",
        "setter": "method property",
        "field": "property field",
        "property": "property field method key",
        "constant": "constant function class variable",
        "variable": "variable constant function property class",
    },
    "PHP": {
        "class": "class",
        "interface": "interface",
        "trait": "trait",
        "function": "function method constructor",
        "define": "constant enum_member",
        "namespace": "namespace",
        "variable": "property variable",
        "alias": "-import",  # use A as B
    },
    "Java": {
        "annotation": "interface type",
        "class": "class struct",
        "interface": "interface",
        "enum": "enum",
        "enumConstant": "enum_member",
        "field": "field constant property",
        "method": "method constructor",
        "package": "package",
    },
    "Rust": {
        "macro": "macro",
        "method": "method function constructor",
        "function": "function method",
        "implementation": "block class",
        "enumerator": "enum_member",
        "enum": "enum",
        "interface": "trait",
        "field": "field",
        "module": "module",
        "struct": "struct",
        "typedef": "type",
        "variable": "constant variable",
    },
    "C": _C,
    "C++": _C,
    "CUDA": _C,
    "CPreProcessor": {"macro": "macro", "header": "-import"},
    "C#": {
        "event": "property field",
        "class": "class",
        "macro": "macro constant",
        "enumerator": "enum_member",
        "field": "field constant property",
        "enum": "enum",
        "interface": "interface",
        "method": "method constructor",
        "namespace": "namespace",
        "property": "property",
        "struct": "struct",
        "typedef": "-import",  # using A = B.C
    },
    "Ruby": {
        "accessor": "property",
        "alias": "method function",
        "class": "class",
        "module": "module namespace",
        "method": "method constructor function",
        "singletonMethod": "method function",
        "constant": "constant",
        "library": "-import",  # require
    },
    "RSpec": {"describe": "block class", "context": "block class"},
    "Sh": {
        "function": "function",
        "alias": "function variable constant macro",
        "script": "-import",  # source file
        "heredoc": "-local",  # the word that ends a text
    },
    "Lua": {"function": "function method"},
    "Perl": {
        "package": "package module class namespace",
        "subroutine": "function method constructor",
        "constant": "constant",
        "label": "-local",  # a jump's target
        "format": "function variable",
    },
    "Pod": _HEADINGS,
    "Haskell": {"module": "module", "type": "type class struct", "constructor": "enum_member constructor", "function": "function"},
    "Kotlin": {
        "class": "class enum",
        "interface": "interface",
        "object": "class",
        "method": "function method",
        "constant": "constant property",
        "variable": "property variable field",
        "typealias": "type",
        "package": "package",
    },
    "Elixir": {"module": "module", "function": "function method", "macro": "macro", "test": "block function"},
    "Make": {"macro": "variable constant", "target": "target", "makefile": "-import"},  # include
    "CMake": {
        "function": "function",
        "macro": "macro function",
        "option": "variable constant",
        "project": "module namespace package",
        "target": "target",
        "variable": "variable constant",
    },
    "Markdown": _HEADINGS,
    "Asciidoc": _HEADINGS,
    "ReStructuredText": {**_HEADINGS, "target": "element key block", "citation": "element key", "substdef": "element key constant"},
    "JSON": _KEYS,
    "Yaml": {"anchor": "key element variable"},
    "Iniconf": {"key": "key", "section": "section block"},
    "JavaProperties": {"key": "key"},
    "XML": {"id": "element", "root": "element", "nsprefix": "-import"},  # xmlns:p="..."
    "SVG": {"def": "element"},
    "HTML": {
        "id": "element",
        "anchor": "element",
        "class": "-reference",  # class="..." uses a class, the style sheet defines it
        "heading1": "section",
        "heading2": "section",
        "heading3": "section",
        "script": "-import",  # <script src>
        "stylesheet": "-import",  # <link href>
    },
    "CSS": dict.fromkeys(("class", "id", "selector"), "element"),
    "SCSS": {
        **dict.fromkeys(("class", "id", "placeholder"), "element"),
        "function": "function",
        "mixin": "function macro",
        "variable": "variable constant",
        "parameter": "-parameter",
    },
    "SQL": {
        "table": "class struct type resource block",
        "view": "class struct type resource block",
        "field": "field property",
        "function": "function",
        "procedure": "function",
        "index": "resource block key element",
        "trigger": "function resource block",
        "variable": "-local",
        "cursor": "-local",
        "label": "-local",
    },
    "Protobuf": {
        "package": "package",
        "message": "struct class",
        "group": "struct",
        "oneof": "field block struct property",
        "enum": "enum",
        "enumerator": "enum_member",
        "field": "field",
        "service": "interface class",
        "rpc": "method",
        "protodef": "-import",
    },
}

# Where ctags is wrong, judged by eye: its language and kind, the name, the source line (NAME stands for the name), each a regular
# expression for the whole; then what is really there. Only what we do not find is held against this table, and how many
# definitions each rule takes is printed for every repository.
FAULTS: Sequence[tuple[str, str, str, str]] = (
    (r"(?!Markdown|ReStr).*", r"[\w.$-]+", r"(?!.*NAME).*", "the name is not on that line"),
    (
        r"(Type|Java)Script .*",
        r"as|async|await|boolean|break|catch|extends|false|for|from|if|import|in|instanceof|let|new|null|of|return|satisfies|this|true|type|"
        r"typeof|undefined|unknown|void|symbol",
        r".*",
        "a word of the language",
    ),
    (
        r"TypeScript (constant|variable|property)",
        r".*",
        r"(?!.*\b(?:const|let|var|enum)\s+(?:[\[{][^=]*)?NAME)(?!.*\b(?:const|let|var)\b.*,\s*NAME\s*=[^=>])"
        r"(?!\s*(?:\w+\s*:\s*)?NAME\s*(?:=[^=>].*)?,?\s*$)(?!\s*(?:(?:readonly|public|private|protected|static)\s+)*NAME[?!]?\s*[:(]).*",
        "a word of an expression",
    ),
    (r"TypeScript constant", r".*", r"\s*(?:NAME:.*[,{(\[]|NAME,?)\s*", "a key of an object literal"),
    (r"TypeScript alias", r".*", r".*\btype\s+NAME\b\s*(?:as\s+\w+\s*)?(?:[,}].*)?", "a name exported again"),
    (r"JavaScript .*", r".*", r".*\bNAME=\{.*|.*[<{]NAME\b.*[}>].*", "an attribute or a value of JSX"),
    (
        r"JavaScript (field|property)",
        r".*",
        r".*\(\s*\{[^}]*\bNAME\b.*|\s*NAME,?\s*|.*[{,]\s*NAME\s*[,}].*",
        "a parameter, or a name used",
    ),
    (r"JavaScript .*", r".*", r".*\bNAME\s*\.\s*\w+.*|.*\.\s*NAME\b\s*[),;.\[].*|.*\bNAME\[.*", "a name used"),
    (r"JavaScript (property|field)", r"\[.*|\d+|\\.*", r".*", "a key that is computed, or no word"),
    (r"PHP variable", r".*", r"(?!.*\b(?:public|private|protected|var|static|readonly)\b.*\$NAME)\s*.*", "a local variable"),
    (r"Java enumConstant", r".*", r".*@NAME.*|.*NAME\(.*", "an annotation or a call in an enum"),
    (r"Java field", r".*", r".*\bdefault\s.*", "the default of an annotation's element"),
    (r"Rust variable", r"str", r".*", "the type &'static str"),
    (r"Rust implementation", r".*", r".*\bimpl\b.*", "a part of the type or the trait of an impl for an unnamed type"),
    (r"C function", r"[A-Z][A-Z0-9_]*", r"\s*NAME\s*\(.*", "a macro that defines what its argument names"),
    (r"C\+\+ (function|enumerator|member|variable)", r"[A-Z][A-Z0-9_]*", r".*\bNAME\s*\(.*", "a macro that is used"),
    (r"C\+\+ (variable|member)", r".*", r"\s*template\s+(?:class|struct)\b.*", "an instantiation"),
    (
        r"C\+\+ variable",
        r".*",
        r"\s*for\s*\(.*\bNAME\s*:.*|\s*(?:const\s+)?auto\b.*\bNAME\s*=.*",
        "a local variable in a macro's block",
    ),
    (r"C# .*", r".*", r".*\bwhere\s+\w+\s*:.*|.*\bwhere\s+NAME\b.*", "a constraint on a type parameter"),
    (r"C# .*", r".*", r'.*"[^"]*\bNAME\b[^"]*".*|(?:[^"]*"[^"]*")*[^"]*"[^"]*\bNAME\b.*', "text in a string"),
    (r"C# field", r".*", r".*[(,][^()]*\bNAME\s*[,)].*|\s*(?:var|return)\b.*", "a parameter or a local variable"),
    (r"C# .*", r".*\..*", r".*\bNAME\s*[(;].*(?<!\))$", "a call"),
    (r"Sh function", r".*=|\]\]", r".*", "an array that is assigned"),
    (
        r"Sh alias",
        r".*",
        r"\s*alias NAME[:.!].*|.*\balias -.*|.*\bnvm (?:un)?alias .*",
        "half of the alias' name, or another command's word",
    ),
    (r"SCSS .*", r"\.\d.*", r".*", "a number"),
    (r"Markdown .*", r".*", r"\s*(?:#+\s*)?NAME\s*#.*", "a heading that is cut at its number sign"),
    (r"Markdown .*", r"(```|\||<!--|-   ).*|\w+: \w+", r".*", "a fence, a table, a comment or a list above a rule"),
    (r"Ruby singletonMethod", r".*", r"\s*def\s+NAME\..*", "the receiver of a method"),
    (r"CSS selector", r".*", r".*\[NAME.*", "an attribute that a selector asks for"),
)
