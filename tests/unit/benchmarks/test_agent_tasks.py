"""What ``agent_tasks.py`` counts as found in answers, what it asks next, and that every file of tasks is well formed.

The excerpts are of real answers about gin-gonic/gin at dcaa4296, by codegraph 1.6.1, semble 0.7.0 and ripgrep 13.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from checkouts import commit, init, write

import agent_tasks
from agent_tasks import figures, report, score
from agent_tasks_files import FOLDER, KINDS, REPOSITORIES, TASKS, Malformed, Task, read_project, read_projects
from agent_tasks_places import Place, codegraph_places, hardtack_places, ripgrep_places, semble_places, shows
from agent_tasks_ripgrep import Ripgrep, words_in
from agent_tasks_tools import CALLS, Call, Codegraph, Hardtack, Semble, Tool, Turn, names_in, turns_of

HARDTACK = """About method `RouterGroup.handle`.

**Way** from `Engine.ServeHTTP` to `Context.Next`, 2 calls:
1. method `Engine.ServeHTTP` gin.go:662
   ↓ 672, exact: `engine.handleHTTPRequest(c)`
2. method `Engine.handleHTTPRequest` gin.go:690

**method `RouterGroup.handle`** routergroup.go:86
- called by 10 symbols at 10 places (10 exact), tests aside:
  - `RouterGroup.Handle` routergroup.go:107: `return group.handle(httpMethod, relativePath, handlers)`
  - `setByForm` binding/form_mapping.go:272, 297: `if vs, err = trySplit(vs, field); err != nil {`
  - 3 more; `usages` lists all
- tests: 0 directly, 128 through others, and perhaps more: `TestShouldBindUri` githubapi_test.go:290; 9 more
- two calls away 2 symbols (2 exact by the weaker call): `RouterGroup.staticFileHandler` routergroup.go:185; 1 more

**struct `Engine`** gin.go:92
- tests: 1 directly, 5 through others: `TestEngine` gin_test.go:12; 4 more

`routergroup.go:86-91` method `RouterGroup.handle`
```go
86 func (group *RouterGroup) handle(httpMethod, relativePath string, handlers HandlersChain) IRoutes {
87 	panic("see elsewhere.go:12, `read(path=\"elsewhere.go\")`")
```

`routergroup.go:53-60` struct `RouterGroup`; 23 methods: Use 65; Group 72; returnObj 254
```go
53 // RouterGroup is used internally to configure router, a RouterGroup is associated with
```

Not shown: `Group` ginS/gins.go:51; README.md:12; `Engine` gin.go:92

More: `explore(query="Which places call \\"handle\\"?", max_tokens=5000)`
"""
HARDTACK_USAGES = """5 places in 2 files: 5 exact; 4 in tests.

# Callers: `Context.Bind`

## method `func (c *Context) Bind(obj any) error` `context.go:780-783` (5)

### `utils.go`

- function `Bind`, exact, at 40
    - 40: `if c.Bind(obj) == nil {`
"""
HARDTACK_TEXT = """37 lines in 7 files.

context_test.go
```
1353: router.addRoute(http.MethodGet, "/", HandlersChain{func(_ *Context) {}})
```
"""
CODEGRAPH = """**Flow (call path among the symbols you queried)**

1. ServeHTTP (gin.go:662)
   ↓ calls (when t[i].method == httpMethod && value.handlers != nil)
3. Next (context.go:198)

- Next → Logger   [dynamic: gin middleware chain @gin.go:239]

**Blast radius — what depends on these (update/verify before editing)**

- `handle` (routergroup.go:86) — 10 callers in `routergroup.go`; tested via callers: `logger_test.go`, `routes_test.go` +11

**`ginS/gins.go`** — engine(calls), HandlerFunc(references), Group(function), gins.go(file), +19 more

```go
15	var engine = sync.OnceValue(func() *gin.Engine {
16		return gin.Default()

... (gap: LoadHTMLFiles (ginS/gins.go:25), NoRoute (ginS/gins.go:40), +12 more) ...

129	func Routes() gin.RoutesInfo {
```

**Not shown above — explore these names for their source**

- tree_test.go: testRoute:371, tree_test.go:1, testRoutes:376, +14 more
- fs.go: Dir:42
- ... and 6 more files

> Some file sections were trimmed for size.
"""
SEMBLE = json.dumps(
    {
        "query": "Which places call RouterGroup.handle, and which tests reach it?",
        "results": [
            {
                "file_path": "routergroup.go",
                "start_line": 53,
                "end_line": 71,
                "score": 0.06,
                "content": "type RouterGroup struct {",
            },
            {
                "file_path": "ginS/gins.go",
                "start_line": 51,
                "end_line": 68,
                "score": 0.01,
                "content": "func Group(relativePath string",
            },
        ],
    }
)
RIPGREP = """context.go:198:func (c *Context) Next() {
gin.go:672:	engine.handleHTTPRequest(c)
gin.go:680:// HandleContext re-enters a context that has been rewritten.
gin.go:722:			c.Next()
routes_test.go:15:		c.Next()"""
QUESTION = "Which places call RouterGroup.handle, and which tests reach it?"
WANTED = Place("shop/cart.py", 20, 30, "Cart.add")


# -- what an answer shows -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "is_found"),
    [
        (Place("shop/cart.py", 30, 40), True),
        (Place("shop/cart.py", 31, 40), False),
        (Place("shop/other.py", 20, 30, "Cart.add"), False),
        (Place("shop/cart.py", 90, 90, "Cart.add"), True),
        (Place("shop/cart.py", 0, 0, "add"), True),
        (Place("shop/cart.py", 18, 18, "add"), True),
        (Place("shop/cart.py", 90, 90, "add"), False),
        (Place("shop/cart.py", 5, 5, "add"), False),
        (Place("shop/cart.py", 0, 0, "Shelf.add"), False),
        (Place("shop/cart.py", 0, 0, "shop::Cart::add"), True),
        (Place("shop/cart.py", 0, 0, "Cart"), False),
    ],
)
def test_a_place_is_found_by_a_line_of_it_or_by_its_name_in_its_file(place: Place, is_found: bool) -> None:
    assert shows(place, WANTED) is is_found


def test_hardtack_shows_what_it_names_beside_a_path_and_the_lines_of_its_code() -> None:
    places = set(hardtack_places(HARDTACK))
    assert {
        Place("gin.go", 672, 672),
        Place("gin.go", 690, 690, "Engine.handleHTTPRequest"),
        Place("routergroup.go", 107, 107, "RouterGroup.Handle"),
        Place("binding/form_mapping.go", 272, 272, "setByForm"),
        Place("binding/form_mapping.go", 297, 297, "setByForm"),
        Place("githubapi_test.go", 290, 290, "TestShouldBindUri"),
        Place("routergroup.go", 86, 91, "RouterGroup.handle"),
        Place("routergroup.go", 53, 60, "RouterGroup"),
        Place("routergroup.go", 254, 254, "returnObj"),
        Place("ginS/gins.go", 51, 51, "Group"),
    } <= places
    assert not [place for place in places if place.path == "elsewhere.go"], "a place in the code is none of the answer"
    assert {
        Place("context.go", 780, 783),
        Place("utils.go", 40, 40, "Bind"),
        Place("utils.go", 40, 40),
    } == set(hardtack_places(HARDTACK_USAGES))
    assert list(hardtack_places(HARDTACK_TEXT)) == [Place("context_test.go", 1353, 1353)]


def test_codegraph_shows_numbered_source_and_names_with_their_file_but_not_the_names_that_a_file_refers_to() -> None:
    assert list(codegraph_places(CODEGRAPH)) == [
        Place("gin.go", 662, 662, "ServeHTTP"),
        Place("context.go", 198, 198, "Next"),
        Place("gin.go", 239, 239),
        Place("routergroup.go", 86, 86, "handle"),
        Place("ginS/gins.go", 0, 0, "Group"),
        Place("ginS/gins.go", 15, 15),
        Place("ginS/gins.go", 16, 16),
        Place("ginS/gins.go", 25, 25, "LoadHTMLFiles"),
        Place("ginS/gins.go", 40, 40, "NoRoute"),
        Place("ginS/gins.go", 129, 129),
        Place("tree_test.go", 371, 371, "testRoute"),
        Place("tree_test.go", 376, 376, "testRoutes"),
        Place("fs.go", 42, 42, "Dir"),
    ]


def test_semble_shows_its_stretches_and_ripgrep_the_lines_it_prints_and_reads() -> None:
    assert list(semble_places(SEMBLE)) == [Place("routergroup.go", 53, 71), Place("ginS/gins.go", 51, 68)]
    assert list(semble_places('{"error": "No results found."}')) == list(semble_places("No chunk found at a.go:1.")) == []
    assert [(place.path, place.first) for place in ripgrep_places(RIPGREP)] == [
        ("context.go", 198),
        ("gin.go", 672),
        ("gin.go", 680),
        ("gin.go", 722),
        ("routes_test.go", 15),
    ]
    assert list(ripgrep_places("gin.go:655-754\n655\tfunc x() {\n656\ta.go:3: b")) == [Place("gin.go", 655, 754)]
    assert list(ripgrep_places("context_test.go:120\ngin.go:33")) == [], "a count of lines is no line"


# -- what is asked next ---------------------------------------------------------------------------------------------------------


def asked_after(tool: Tool, answer: str) -> list[Call]:
    """What the first answer to the question makes a tool be asked."""
    return list(tool.offered(QUESTION, [Turn(tool.first(QUESTION), answer)]))


def test_hardtack_is_asked_what_its_answer_spells_out_then_cut_lists_of_what_it_is_about_then_what_is_not_shown() -> None:
    assert Hardtack().first(QUESTION) == ("explore", {"query": QUESTION})
    assert asked_after(Hardtack(), HARDTACK) == [
        ("explore", {"query": 'Which places call "handle"?', "max_tokens": 5000}),
        ("usages", {"name": "RouterGroup.handle", "of": "callers"}),
        ("usages", {"name": "RouterGroup.handle", "of": "tests"}),
        ("symbol", {"name": "Group", "path": "ginS/gins.go"}),
        ("read", {"path": "README.md", "start_line": 12}),
        ("symbol", {"name": "Engine", "path": "gin.go"}),
    ]


def test_codegraph_is_asked_for_the_names_of_the_question_of_its_gaps_and_of_what_is_not_shown() -> None:
    queries = ["RouterGroup.handle", "ginS/gins.go LoadHTMLFiles NoRoute", "tree_test.go testRoute testRoutes", "fs.go Dir"]
    assert asked_after(Codegraph("codegraph"), CODEGRAPH) == [("codegraph_explore", {"query": query}) for query in queries]
    spelled = "… lines 40-90 of `run` elided — codegraph_explore `a.go:40-90` returns them"
    assert asked_after(Codegraph("codegraph"), spelled)[0].arguments == {"query": "a.go:40-90"}


def test_semble_is_asked_for_the_names_of_the_question_and_for_what_is_like_the_hits_of_its_first_answer() -> None:
    calls = asked_after(Semble("semble"), SEMBLE)
    assert calls == [
        ("search", {"query": "RouterGroup.handle", "repo": "."}),
        ("find_related", {"file_path": "routergroup.go", "line": 53, "repo": "."}),
        ("find_related", {"file_path": "ginS/gins.go", "line": 51, "repo": "."}),
    ]
    assert not list(Semble("semble").offered(QUESTION, [Turn(calls[0], SEMBLE)] * 2))


def test_ripgrep_searches_names_and_reads_definitions_first_and_then_where_most_lines_are() -> None:
    assert Ripgrep().first(QUESTION).arguments["command"].endswith(" -w -e handle")
    assert asked_after(Ripgrep(), RIPGREP) == [
        ("read", {"path": "context.go", "first": 188, "last": 287}),
        ("read", {"path": "gin.go", "first": 662, "last": 761}),
        ("read", {"path": "routes_test.go", "first": 5, "last": 104}),
    ]
    (words,) = asked_after(Ripgrep(), "")
    assert words.arguments["command"].startswith("rg -c "), "names that are nowhere make it try words"


def test_ripgrep_without_names_lists_files_and_searches_the_first_of_them() -> None:
    question = "Where are requested paths cleaned?"
    assert words_in(question) == ["request", "path", "clean"]
    (lines,) = Ripgrep().offered(question, [Turn(Ripgrep().first(question), "tree.go:9\na b.go:2")])
    assert lines.arguments["command"].endswith("-i -m 20 -e request -e path -e clean -- tree.go 'a b.go'")


def test_names_of_a_question_are_written_like_code_and_are_no_files() -> None:
    question = (
        "How does `open` in src/shop/cart.py or tree.go lead to Cart.add, put_item, Shelf::take and load() of KeyStore? Not Redis."
    )
    assert names_in(question) == ["open", "Cart.add", "put_item", "Shelf::take", "load", "KeyStore"]


def test_nothing_is_asked_twice_and_nothing_after_six_calls() -> None:
    class Endless(Semble):
        def offered(self, question: str, turns: Sequence[Turn]) -> list[Call]:  # type: ignore[override]
            return [Call("search", {"query": str(number // 2)}) for number in range(2 * len(turns))]

    async def answer(call: Call) -> str:
        return call.written

    turns = asyncio.run(turns_of(Endless("semble"), answer, QUESTION))
    assert [turn.call.arguments["query"] for turn in turns] == [QUESTION, "0", "1", "2", "3", "4"]
    assert len(turns) == CALLS
    assert len(asyncio.run(turns_of(Hardtack(), answer, QUESTION))) == 1, "an answer that offers nothing ends it"


# -- figures --------------------------------------------------------------------------------------------------------------------


def test_shares_and_tokens_grow_from_call_to_call_and_are_means_over_tasks() -> None:
    gold = (Place("routergroup.go", 60, 61, "RouterGroup"), Place("gin.go", 720, 730, "run"), Place("lost.go", 1, 2, "lost"))
    task = Task(repository="o/n", number=1, kind="callers", question=QUESTION, gold=gold)
    calls = [Call("search", {"query": QUESTION}), Call("find_related", {"line": 1})]
    gin = json.dumps({"results": [{"file_path": "gin.go", "start_line": 700, "end_line": 720}]})
    first = score("semble", task, [Turn(calls[0], SEMBLE), Turn(calls[1], gin), Turn(calls[1], SEMBLE)])
    sizes = [len(SEMBLE), len(gin)]
    assert first.found == (1, 2, 2)
    assert first.missed == (gold[2],)
    assert first.tokens[0] == round((len(f'search {{"query": "{QUESTION}"}}') + sizes[0]) / 4)
    assert first.tokens[1] == round((len(f'search {{"query": "{QUESTION}"}}find_related {{"line": 1}}') + sum(sizes)) / 4)
    other = score(
        "semble", Task(repository="o/n", number=2, kind="tests", question="q", gold=gold[:2]), [Turn(calls[0], "nothing")]
    )
    told = figures([first, other])
    assert (told["first answer"], told["all calls"], told["complete"]) == pytest.approx((1 / 6, 1 / 3, 0))
    assert (told["tasks"], told["places"], told["calls"]) == (2, 5, 2)
    begun = [agent_tasks.Begun(tool="semble", repository="o/n", version="1", tokens=100)]
    (row,) = report([first, other], begun)["by_tool"]
    assert row["tokens, session"] == 100 + first.tokens[-1] + other.tokens[-1]


# -- files of tasks -------------------------------------------------------------------------------------------------------------


def test_every_file_of_tasks_is_well_formed() -> None:
    faults = []
    for file in sorted(FOLDER.glob("*.toml")):
        try:
            read_project(file)
        except Malformed as error:
            faults.append(str(error))
    assert not faults


def test_all_kinds_are_asked_for_once_all_files_are_there() -> None:
    projects = read_projects()
    kinds = {task.kind for project in projects for task in project.tasks}
    assert len(projects) <= REPOSITORIES
    assert kinds == set(KINDS) if len(projects) == REPOSITORIES else kinds <= set(KINDS)


ENTRY = """[[task]]
kind = "callers"
question = "Who calls Jar.put, question {}?"
verified = "read"
gold = [{{ path = "pantry/jar.py", lines = [2, 3], name = "Jar.put" }}, {{ path = "pantry/use.py", lines = [4, 5], name = "fill" }}]
"""


def tasks_file(folder: Path, commit_: str = "0" * 40) -> Path:
    """A well-formed file of tasks."""
    head = f'repository = "Owner/pantry"\ncommit = "{commit_}"\nlanguage = "python"\n'
    folder.mkdir(exist_ok=True)
    file = folder / "Owner-pantry.toml"
    file.write_text(head + "".join(ENTRY.format(number) for number in range(TASKS)), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0" * 40, "main", "40 hexadecimal"),
        ('"Owner/pantry"', '"Owner/other"', "its name is not"),
        ('kind = "callers"', 'kind = "guess"', "'guess' is none of"),
        ("question 1?", "question 0?", "the same"),
        ("lines = [2, 3]", "lines = [3, 2]", "no lines 3 to 2"),
        ('"pantry/use.py", lines = [4, 5], name = "fill"', '"pantry/jar.py", lines = [2, 3], name = "Jar.put"', "a place twice"),
        (', { path = "pantry/use.py", lines = [4, 5], name = "fill" }', "", "1 places instead of 2 to 15"),
        ('path = "pantry/use.py"', 'path = "../use.py"', "no path inside"),
        ('name = "fill"', 'nom = "fill"', "'name' is missing"),
        ('verified = "read"', 'verified = " "', "is empty"),
        (ENTRY.format(3), "", "3 tasks instead of 4"),
    ],
)
def test_a_malformed_file_is_refused_with_what_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tasks_file(tmp_path)
    assert len(read_project(file).tasks) == TASKS
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Malformed, match=said) as raised:
        read_project(file)
    assert str(raised.value).startswith("Owner-pantry.toml: ")


# -- a run ----------------------------------------------------------------------------------------------------------------------

TREE = {
    "pantry/jar.py": "class Jar:\n    def put(self, what):\n        self.inside = what\n",
    "pantry/use.py": "from pantry.jar import Jar\n\n\ndef fill(jar: Jar):\n    jar.put(1)\n",
}


def test_a_run_asks_the_tools_about_the_tree_of_the_commit_and_keeps_their_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = init(tmp_path / "mirrors" / "Owner+pantry" / "repo")
    write(mirror, TREE)
    tasks_file(tmp_path / "tasks", commit(mirror))
    (mirror / "pantry/use.py").write_text("", encoding="utf-8")
    commit(mirror)
    tools = ["hardtack", *(["ripgrep"] if shutil.which("rg") else [])]
    words = ["agent_tasks.py", "--mirrors", str(tmp_path / "mirrors"), "--tasks", str(tmp_path / "tasks"), "--tools", *tools]
    monkeypatch.setattr(sys, "argv", [*words, "--json", str(tmp_path / "told.json"), "--keep", str(tmp_path / "kept")])
    assert agent_tasks.main() == 0, capsys.readouterr()
    told = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert [row["tool"] for row in told["by_tool"]] == tools
    assert all(row["first answer"] == row["complete"] == 1 for row in told["by_tool"])
    assert [row["tokens before"] > 0 for row in told["by_tool"]] == [True, False][: len(tools)]
    assert len(told["tasks"]) == TASKS * len(tools)
    kept = (tmp_path / "kept" / "Owner-pantry" / "1-callers-hardtack.md").read_text(encoding="utf-8")
    assert "- pantry/use.py:4-5 fill: call 1" in kept
    assert "jar.put(1)" in kept
    assert "| hardtack |" in capsys.readouterr().out


def test_a_tool_that_fails_is_named_and_the_others_have_their_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = init(tmp_path / "mirrors" / "Owner+pantry")
    write(mirror, TREE)
    tasks_file(tmp_path / "tasks", commit(mirror))
    words = ["agent_tasks.py", "--mirrors", str(tmp_path / "mirrors"), "--tasks", str(tmp_path / "tasks")]
    monkeypatch.setattr(sys, "argv", [*words, "--tools", "codegraph", "hardtack", "--codegraph", sys.executable])
    assert agent_tasks.main() == 1
    told = capsys.readouterr().out
    assert "codegraph failed over Owner/pantry: RuntimeError: " in told
    assert "| hardtack |" in told
    assert "| codegraph |" not in told


def test_gold_that_is_not_in_the_tree_is_said_and_nothing_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = init(tmp_path / "mirrors" / "Owner+pantry")
    write(mirror, {**TREE, "pantry/use.py": "def empty():\n    pass\n\n\ndef other():\n    pass\n"})
    tasks_file(tmp_path / "tasks", commit(mirror))
    words = ["agent_tasks.py", "--mirrors", str(tmp_path / "mirrors"), "--tasks", str(tmp_path / "tasks"), "--tools", "hardtack"]
    monkeypatch.setattr(sys, "argv", words)
    assert agent_tasks.main() == 1
    told = capsys.readouterr().out
    assert "Owner/pantry, task 1: pantry/use.py:4-5 has no fill at the commit." in told
    assert "| hardtack |" not in told
