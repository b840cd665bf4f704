"""Where ctags 5.9 is wrong; a table for ctags_oracle.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Where ctags is wrong, judged by eye: its language and kind, the name, the source line (NAME stands for the name), each a regular
# expression for the whole; then what is really there. Only what we do not find is held against this table, and how many
# definitions each rule takes is printed for every repository.
FAULTS: Sequence[tuple[str, str, str, str]] = (
    (
        r"(?!Markdown|ReStr|ObjectiveC (?:method|class|function)).*",
        r"[\w.$-]+",
        r"(?!.*NAME).*",
        "the name is not on that line",
    ),
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
    (r"TypeScript constant", r"\w+", r"\s*NAME\(.*", "a call"),
    (r"TypeScript constant", r"\w+", r".*[{,]\s*NAME\s*:.*\}\s*=.*", "the key of what is taken apart"),
    (r"TypeScript enumerator", r"\w+", r"(?!\s*NAME\b).*=.*\bNAME\b.*", "a word of an enumerator's value"),
    (r"TypeScript alias", r"\w+", r"(?!.*\btype\s+NAME\b).*\b(?:keyof|instanceof)\s+NAME\b.*", "a type that is used"),
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
    (r"Java (class|interface|field)", r".*", r".*\bpermits\b.*\bNAME\b.*", "a type that may extend another"),
    (r"Rust variable", r"\w+", r".*&'static NAME\b.*", "the type behind &'static"),
    (r"Rust implementation", r".*", r".*\bimpl\b.*", "a part of the type or the trait of an impl for an unnamed type"),
    (r"C function", r"[A-Z][A-Z0-9_]*", r"\s*(?:static\s+)?NAME\s*\(.*", "a macro that defines what its argument names"),
    (r"C\+\+ (function|enumerator|member|variable)", r"_*[A-Z][A-Z0-9_]*", r".*\bNAME\s*\(.*", "a macro that is used"),
    (r"C\+\+ member", r"\w+", r".*\btypename\b[^;{}]*::\s*(?:template\s+)?NAME\b.*", "a type that is required or used"),
    (r"C\+\+ namespace", r"\w+", r".*\bnamespace\s+(?:\w+::)*NAME::.*", "a part of the namespace's name"),
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
    (r"C# method", r"\w+", r".*\.\s*NAME\s*\(.*\)\s*;", "a call"),
    (r"C\+\+ variable", r".*", r"\s*\}?\s*catch\s*\(.*NAME\s*\).*", "a parameter of a handler"),
    (r"C\+\+ variable", r".*", r"\s*(?:export\s+)?import\s+NAME\s*;.*", "a module that is imported"),
    (r"C\+\+ struct", r".*", r"\s*struct\s+\w+\s+NAME\s*\{\s*\}\s*;.*", "a variable of a struct's type"),
    (r"C(\+\+)? (member|variable|typedef)", r"[A-Z][A-Z0-9_]*", r".*\(\s*NAME\s*\*.*", "a calling convention in front of the name"),
    (r"C(\+\+)? macro", r".*", r"\s*#\s*pragma\s+weak\s.*", "a name that #pragma weak has"),
    (r"Protobuf field", r".*", r"(?!.*NAME\s*=)(?!.*NAME\s*$).*", "a type, a number or a word of an option, not the name before ="),
    (r"Protobuf field", r".*", r"\s*\w+\s*:\s*NAME,?", "the value of an option"),
    (r"Kotlin (method|constant|variable)", r"\w+", r"(?!.*\b(?:fun|va[lr])\s+NAME\b).*\bNAME\b.*->.*", "a parameter of a lambda"),
    (r"Kotlin constant", r"\w+", r".*\bwhen\s*\(\s*val\s+NAME\b.*", "what a when looks at"),
    (r"Kotlin variable", r"\w+", r"\s*for\s*\([^)]*\bNAME\b.*\sin\s.*", "the variable of a loop"),
    (r"Kotlin .*", r".*\W.*", r"(?!.*NAME).*`.*", "memory that was freed: ctags 5.9 prints it for a name in backticks"),
    (
        r"ObjectiveC category",
        r".*",
        r"(?!\s*@(?:interface|implementation)\s+\w+\s*(?:<[^>]*>)?\s*\(\s*NAME\s*\)).*",
        "a word in brackets that is no category",
    ),
    (r"ObjectiveC typedef", r".*", r"\s*typedef\b(?!.*\^\s*NAME).*\(\s*\^.*", "the result or the last parameter of a block's type"),
    (r"ObjectiveC property", r".*", r"\s*@property\b.*\bNAME[\s*]*\(\s*\^.*", "the result of a block's type"),
    (r"ObjectiveC property", r"ios|macos|macosx|tvos|watchos", r".*\bNAME\(.*", "a word of a macro"),
    (r"ObjectiveC .*", r"(?:[A-Z][A-Z0-9]*_|__)\w+|SpecBegin", r".*\bNAME\b\s*(?:\(.*|;.*)", "a macro that is used"),
    (r"ObjectiveC function", r".*", r".*\bNAME[\s*]*\(\s*\*.*", "the result of a function pointer"),
    (r"ObjectiveC enum", r".*", r".*\benum\s*:\s*NAME\b.*", "the integer type of an enumeration"),
    (
        r"ObjectiveC protocol",
        r".*",
        r"\s*@protocol\s[^<{]*\bNAME\b\s*[,;].*",
        "a protocol that is announced, and defined elsewhere",
    ),
    (r"Sh function", r".*=|\]\]", r".*", "an array that is assigned"),
    (
        r"Sh alias",
        r".*",
        r"\s*alias NAME[:.!].*|.*\balias -.*|.*\bnvm (?:un)?alias .*",
        "half of the alias' name, or another command's word",
    ),
    (
        r"Sh function",
        r"\w+",
        r"(?:.*')?\s*function\s+NAME\s*\([^)\s][^)]*\).*",
        "a function of awk: those of the shell name no parameters",
    ),
    (r"Sh function", r"\w+", r".*\w[)']*(?<!then)(?<!else)(?<!do)\s+function\s+NAME.*", "the word function in a sentence"),
    (r"Sh alias", r".*", r".*(?:\|\||&&)\s*alias NAME\s*>.*|.*\w\s+alias NAME.*", "a question, or a word of another command"),
    (r"SCSS .*", r"\.\d.*", r".*", "a number"),
    (r"SCSS class", r"\.[\w-]+", r".*[\w)]NAME\(.*", "a function of a module"),
    (r"SCSS class", r"\.\w+", r".*url\(.*", "an address"),
    (r"SCSS id", r"[0-9a-fA-F]{3,8}", r"(?!.*#NAME[^;]*\{).*", "a colour"),
    (r"SCSS variable", r"[\w-]+", r"\s*[\"']?NAME[\"']?\s*:.*[^;{]", "a key of a map"),
    (r"SCSS variable", r"[\w-]+", r"\s*@each\b.*[$]NAME.*\bin\b.*|\s*@for\s+[$]NAME.*", "the variable of a loop"),
    (r"CSS .*", r".*[\[\]].*", r".*", "a selector with an attribute, which is garbled"),
    (r"CSS .*", r"[\w-]+", r".*=\s*[\"']?NAME[\"']?\s*[is]?\s*\].*", "the value of an attribute"),
    (r"CSS .*", r"[:.#].*", r".*\]\s*NAME.*", "what stands after an attribute"),
    (r"CSS .*", r"[^()]*\).*|.*\([^()]*", r".*", "a selector that is cut at a comma in brackets"),
    (r"CSS .*", r"[.#].*", r".*NAME\\.*|.*\\NAME.*", "a name that is cut at a backslash"),
    (r"HTML heading\d", r".*", r"(?!.*NAME).*</h\d>.*", "the end of a heading of several lines"),
    (r"Markdown .*", r".*", r"\s*(?:#+\s*)?NAME\s*#.*", "a heading that is cut at its number sign"),
    (r"Markdown .*", r"(```|\||<!--|-   ).*|\w+: \w+", r".*", "a fence, a table, a comment or a list above a rule"),
    (r"Ruby singletonMethod", r".*", r"\s*def\s+NAME\..*", "the receiver of a method"),
    (r"Ruby alias", r".*", r".*\balias :?NAME[?!=].*", "a name that is cut"),
    (r"Ruby constant", r".*", r".*\bNAME\s*(?:=[=>]|===).*", "a comparison or a key"),
    (r"Ruby method", r"\w+_", r".*\bdef\s+NAME#\{.*", "a name that is computed"),
    (r"CSS selector", r".*", r".*\[NAME.*", "an attribute that a selector asks for"),
    # Lua
    (r"Lua function", r"[^\[]*['\"]?\]", r".*\bfunction\b.*", "a name that is cut: it holds a blank"),
    (r"Lua function", r".*\[(?!['\"])[^\]]*\D[^\]]*\]", r".*", "a key that is computed"),
    (r"Lua function", r".*", r"(?!.*\bfunction\s*[\w.:]*\s*\().*", "no function is on that line"),
    (r"Lua function", r".*", r".*NAME\s*=\s*(?!function\b|[^(]*\bor\s+function\b).*", "a variable that holds what a call returns"),
    (r"Lua function", r".*", r"[^'\"]*['\"][^'\"]*\bfunction\s+NAME.*", "text in a string"),
    (r"C\+\+ variable", r".*", r".*\bLUA\w*_API\b.*\(NAME\)\s*\(.*", "the declaration of a function"),
    # Perl
    (r"Perl subroutine", r".*", r"\s*sub\s+NAME(?:::|').*", "a qualified name that is cut"),
    (r"Perl package", r".*", r".*\bpackage\s+NAME%.*", "text in a string"),
    (r"Iniconf key", r"\w+", r"\s*[\w.-]+\.NAME\s*=.*", "a key that is cut: it holds a dot"),
    (r"JSON null", r".*", r'(?!.*"NAME"\s*:\s*null\b).*', "a string that is no key of null"),
    (r"JSON string", r".*", r'.*"NAME"\s*:\s*"[^"\\]*', "a string without an end"),
    (r"PowerShell variable", r"(?i:true|false|null)", r".*", "a word of the language"),
    # Make
    (r"Make target", r".*", r"(?!.*NAME).*", "the name is not on that line"),
    (r"Make target", r".*", r"[^:]*:\s*NAME\s*:.*", "the pattern of a static rule"),
    # Elixir
    (r"Elixir test", r".*", r'\s*(?:test|property|describe)\s+"[^"]*do.*', "a name that is cut at the letters do"),
    (r"Elixir (function|macro)", r"unquote", r".*", "a name that is computed"),
    # Julia
    (r"Julia function", r"[\w.]+", r".*\bNAME\.:.*", "the module of a function that is extended"),
    (r"Julia type", r"in", r"\s*type in .*", "a comparison"),
    # OCaml
    (
        r"OCaml (function|var)",
        r"\W*|_|open|exception|rec|module",
        r".*",
        "no name: a pattern, an extension's mark or a word of the language",
    ),
    (r"OCaml (function|method|type)", r"nonrec|private|virtual", r".*", "a word of the language"),
    (r"OCaml function", r"[A-Z]\w*", r".*\blet\s*\(NAME\b.*", "a constructor that is matched"),
    (r"OCaml type", r".*", r".*\b(?:with|and)\s+type\s+(?:'\w+\s+|\([^)]*\)\s+)?NAME\s*:?=.*", "a constraint on a signature"),
    (r"OCaml type", r"[A-Z].*", r".*", "a module: the type's name is after it"),
    (r"OCaml module", r"[a-z].*", r".*\b(?:with|and)\s+type\s+NAME\s*:?=.*", "a constraint on a signature"),
    (
        r"OCaml module",
        r".*",
        r".*\b(?:with|and)\s+module\s+NAME\b.*|.*\b(?:with|and)\s+type\b.*NAME.*",
        "a constraint on a signature",
    ),
    (
        r"OCaml module",
        r".*",
        r"(?!.*\bmodule\s+(?:type\s+)?(?:rec\s+)?NAME).*|.*\(module\s+(?:\w+\.)*NAME.*",
        "a module that is used, or that the file is",
    ),
    (
        r"OCaml (var|val)",
        r"[\w']+",
        r".*\blet\b.*NAME.*\bin\s*(?:\(\*.*\*\)\s*)?|\s{4,}let\s+(?:rec\s+)?NAME.*",
        "a local variable",
    ),
    (r"OCaml (val|Exception)", r"[A-Z]\w*", r".*(?:\(val|\bexception)\s+NAME\..*", "a module that is used"),
    (r"OCaml Constructor", r"\w+", r".*[\[|]\s*`NAME.*|.*\(module\s+NAME.*", "a polymorphic variant in a type, or a module"),
    # Haskell
    (r"Haskell module", r".*", r"\s*module\s+NAME\..*", "a qualified name that is cut"),
    (r"Haskell function", r"class|deriving|foreign|infix[lr]?|pattern|default|type|data", r"\s*NAME\b.*", "a word of the language"),
    (r"Haskell function", r"[A-Z\[(].*", r".*", "a type: no function begins with a capital"),
    (
        r"Haskell function",
        r"\w+",
        r"(?:\$\(\s*)?NAME\b[^=|]*''?\w[^=|]*|(?:\$\(\s*)?NAME\b(?!\s*=).*\s''?[A-Z]\w*\)?\s*",
        "a splice of Template Haskell",
    ),
    (r"Haskell function", r"[\w']+", r"\s*NAME#.*", "a name that is cut"),
    (
        r"Haskell type",
        r"\w+",
        r"\s*(?:type|data|newtype)\s+NAME\s+(?!=\s)[!#$%&*+./:<=>?@\\^|~-]+\s.*",
        "the left operand of a type's operator",
    ),
    (
        r"Haskell function",
        r"[\w']+",
        r"NAME\s+(?:`\w+`|(?!=\s)[!#$%&*+./<=>?@\\^|~-]+)\s.*=.*",
        "the left operand of an operator that is defined",
    ),
    (r"Haskell type", r"family|instance", r"\s*(?:type|data|newtype)\s+NAME\b.*", "a word of the language"),
)

# How to tell strings and comments from code in languages whose strings ctags reads as code: an expression that matches strings and
# comments one after the other. What it captures as "text" goes over several lines, or holds source as data.
_STRINGS = r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
TEXTS: Mapping[str, str] = {
    "Lua": r"(?P<text>(?:--)?\[(?P<level>=*)\[.*?\](?P=level)\])|--[^\n]*" + _STRINGS,
    "Elixir": r'#[^\n{][^\n]*|\?\\?["\']|(?P<text>"""(?:\\.|.)*?"""|\'\'\'(?:\\.|.)*?\'\'\')|"(?:\\.|[^"\\])*"',
    "Perl": r"""<<(?P<bent>~)?(?P<quote>["']?)(?P<word>\w+)(?P=quote)[^\n]*\n(?P<text>.*?^)[ \t]*(?P=word)$|(?<![$\w])#[^\n]*""",
    "Ruby": r"""<<[~-]?(?:(?P<quote>["'`])(?P<quoted>[^"'`\n]+)(?P=quote)|(?P<word>[A-Za-z_]\w*))[^\n]*\n"""
    r"""(?P<text>.*?^)[ \t]*(?:(?P=quoted)|(?P=word))$|(?<!\S)#[^\n]*""",
    "Markdown": r"(?P<text>^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)|<!--.*?-->)",
    "Sh": r"""<<-?[ \t]*(?P<quote>["']?)(?P<word>\w+)(?P=quote)[^\n]*\n(?P<text>.*?^)[\t]*(?P=word)$|(?<!\S)#[^\n]*""",
    "Erlang": r"%[^\n]*|\$\\?.|'(?:\\.|[^'\\])*'" + r'|(?P<text>"(?:\\.|[^"\\])*")',
}

# Files that ctags takes for what they are not, by their extension: its language, the path as an expression, what they are.
MISREAD: Sequence[tuple[str, str, str]] = (
    ("R", r".*/quick/.*\.q", "luarocks' tests in a notation of their own, no S"),
    ("Iniconf", r"t/mojolicious/.*\.conf", "Mojolicious' settings, which are Perl"),
)
