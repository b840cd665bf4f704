"""Learns the ranking model (``ranking.json``) from bundles and queries with known answers.

    python learn_feature_weights.py features --benchmark DIR --checkouts DIR --bundles DIR --out development.npz
    python learn_feature_weights.py features --issues FILE --bundles DIR --out issues.npz
    python learn_feature_weights.py fit development.npz issues.npz --out src/hardtack/query/ranking/ranking.json --models DIR
    python learn_feature_weights.py ablate development.npz issues.npz

``features`` asks every query of its bundle and writes what the search itself computed for each file it might have answered with.
``fit`` learns one weight a feature for questions, one for what tells of a change and one for issues, says how these do on
repositories they were not trained on (each repository ranked by weights trained without it), and writes the models trained on all,
and with ``--models`` each of those others.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import scipy.optimize
from tasks import Task, Windows, benchmark_tasks, issue_tasks, mined_tasks

from hardtack.bundle.reader import open_bundle
from hardtack.nouns.model import Mode
from hardtack.query.ranking.features import FEATURES, ISSUE_FEATURES
from hardtack.query.ranking.model import RankingModel, RankingModels
from hardtack.query.ranking.past_changes import PastChanges
from hardtack.query.ranking.priors import PRIORS
from hardtack.query.request.analysis import analyse
from hardtack.query.request.parse import parse_request
from hardtack.query.searcher import Searcher

_OF_QUESTIONS, _OF_ISSUES = (
    RankingModel(np.zeros(width), np.ones(width), np.zeros(width)) for width in (len(FEATURES), len(ISSUE_FEATURES))
)
UNLEARNED = RankingModels(_OF_QUESTIONS, _OF_QUESTIONS, _OF_ISSUES)
"""Features do not depend on what they count for, and new ones have to be made before that can be learned."""
DEPTH = 10
"""Ranks that nDCG looks at."""


def write_features(tasks: Iterable[Task], out: Path) -> None:
    """Ask every query, keep the table that ranking saw. All are issues, or none is; what is no issue is left out among issues."""
    by_bundle: dict[Path, list[Task]] = defaultdict(list)
    for task in tasks:
        by_bundle[task.bundle].append(task)
    values, labels, sizes, wanted, kept, features = [], [], [], [], [], set()
    for bundle, asked in sorted(by_bundle.items()):
        found = []
        with Searcher(open_bundle(bundle, check="sizes"), ranking=UNLEARNED) as searcher:
            paths = [file.path for file in searcher.bundle.files]
            windows = Windows(searcher.bundle)
            for task in asked:
                for commits in dict.fromkeys((windows.before(task), range(0))):
                    searcher.features.past_changes = PastChanges(searcher.bundle, commits)
                    _, trace = searcher.traced(parse_request(searcher.bundle, task.query, mode=Mode.HYBRID))
                    assert trace.ranking is not None
                    if task.sort == "issue" and trace.reading.issue is None:
                        continue
                    table = trace.ranking.table
                    features.add(table.features)
                    values.append(table.values.astype(np.float32))
                    labels.append(np.array([paths[file] in task.relevant for file in table.files.tolist()], dtype=bool))
                    sizes.append(len(labels[-1]))
                    wanted.append(len(task.relevant))
                    kept.append((task.repository, task.language, f"{task.sort}{' with history' * bool(commits)}", task.query))
                    found.append(labels[-1].sum() / wanted[-1])
        print(f"{bundle.name}: {len(found)} queries, {len(paths)} files, {np.mean(found):.3f} of the answers among the candidates")
    (names,) = features
    np.savez_compressed(
        out,
        values=np.concatenate(values),
        labels=np.concatenate(labels),
        sizes=np.array(sizes),
        wanted=np.array(wanted),
        tasks=np.array(kept),
        features=np.array(names),
    )


@dataclass(frozen=True, slots=True)
class Examples:
    """Queries with the features of their candidate files."""

    values: np.ndarray
    """(rows, features): the candidates of all queries, one query after another."""
    labels: np.ndarray
    """(rows,), whether a candidate is an answer."""
    starts: np.ndarray
    """(queries + 1,), where each query's rows begin."""
    wanted: np.ndarray
    """(queries,), how many answers there are, found or not."""
    tasks: np.ndarray
    """(queries, 4): repository, language, sort, text."""

    @classmethod
    def read(cls, path: Path) -> Examples:
        """What :func:`write_features` wrote; queries without a single answer among the candidates stay in, for measuring."""
        with np.load(path) as file:
            if tuple(file["features"]) not in (FEATURES, ISSUE_FEATURES):
                raise SystemExit(f"{path} has other features than this program; make it again.")
            starts = np.concatenate([[0], np.cumsum(file["sizes"])])
            return cls(file["values"].astype(np.float64), file["labels"], starts, file["wanted"], file["tasks"])

    def rows(self, query: int) -> slice:
        """Where the candidates of a query are."""
        return slice(int(self.starts[query]), int(self.starts[query + 1]))

    def is_change(self, query: int) -> bool:
        """Whether a query tells of a change, so that the model for changes ranks it; there is one model for all issues."""
        return self.tasks[query][2] != "issue" and analyse(str(self.tasks[query][3])).describes_change


@dataclass(frozen=True, slots=True)
class Lines:
    """The two fitted models: see :class:`hardtack.query.ranking.model.RankingModels`."""

    means: np.ndarray
    scales: np.ndarray
    questions: np.ndarray
    changes: np.ndarray

    def scores(self, values: np.ndarray, *, is_change: bool) -> np.ndarray:
        """(rows,) from (rows, features)."""
        scored: np.ndarray = (values - self.means) / self.scales @ (self.changes if is_change else self.questions)
        return scored


def fit(parts: Sequence[tuple[Examples, np.ndarray, np.ndarray]], penalty: float, apart: float) -> Lines:
    """Weights that make the softmax over each query's candidates put its mass on the answers.

    Args:
        parts: examples, the queries of them to learn from, and what each of those counts for.
        penalty: on the squared weights of questions, features being brought to unit variance.
        apart: the same on what the weights of changes differ by.
    """
    values, targets, sizes, counts, changes = [], [], [], [], []
    for examples, queries, weights in parts:
        for query, weight in zip(queries.tolist(), weights.tolist(), strict=True):
            rows = examples.rows(query)
            labels = examples.labels[rows]
            if labels.any():
                values.append(examples.values[rows])
                targets.append(labels / labels.sum())
                sizes.append(len(labels))
                counts.append(weight)
                changes.append(examples.is_change(query))
    table = np.concatenate(values)
    means, scales = table.mean(axis=0), table.std(axis=0)
    scales[scales == 0] = 1.0
    table = (table - means) / scales
    lengths = np.array(sizes)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    weight = np.repeat(np.array(counts), lengths)
    target = np.concatenate(targets) * weight
    total = float(np.sum(counts))
    of_change = np.repeat(np.array(changes), lengths)[:, None]
    table = np.hstack([table, table * of_change])
    width = len(means)
    penalties = np.repeat([penalty, apart], width)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = table @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), lengths)
        exponents = np.exp(scores)
        sums = np.add.reduceat(exponents, starts)
        logarithms = scores - np.repeat(np.log(sums), lengths)
        given = exponents / np.repeat(sums, lengths) * weight
        return (
            -float(target @ logarithms) / total + float(penalties @ weights**2),
            table.T @ (given - target) / total + 2 * penalties * weights,
        )

    found = scipy.optimize.minimize(loss, np.zeros(2 * width), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return Lines(means, scales, found[:width], found[:width] + found[width:])


def ndcg(labels: np.ndarray, scores: np.ndarray, wanted: int) -> float:
    """Binary nDCG of the ten best, as the harness has it."""
    order = np.argsort(-scores, kind="stable")[:DEPTH]
    gained = sum(1 / math.log2(rank + 2) for rank, place in enumerate(order) if labels[place])
    return gained / sum(1 / math.log2(rank + 2) for rank in range(min(DEPTH, wanted)))


def weights_of(examples: Examples, queries: np.ndarray, by_sort: dict[str, float], default: float) -> np.ndarray:
    """What each query counts for; what is asked with history and without counts once for both."""
    asked = Counter((repository, query) for repository, _, _, query in examples.tasks.tolist())
    counts = []
    for repository, _, sort, query in (examples.tasks[query].tolist() for query in queries):
        counts.append(by_sort.get(sort.partition(" ")[0], default) / asked[repository, query])
    return np.array(counts)


def write_models(lines: Lines, issues: Lines, out: Path) -> None:
    """The models as the package reads them; six digits are plenty."""

    def columns(of: Lines, **names: str) -> dict[str, list[float]]:
        return {name: [float(f"{each:.6g}") for each in getattr(of, column)] for name, column in names.items()}

    fields: dict[str, object] = {
        "features": FEATURES,
        **columns(lines, means="means", scales="scales", questions="questions", changes="changes"),
        "issues": {"features": ISSUE_FEATURES, **columns(issues, means="means", scales="scales", weights="questions")},
    }
    out.write_text(json.dumps(fields, indent=1) + "\n", "utf-8")


def report(examples: Examples, scores: np.ndarray) -> dict[str, float]:
    """Mean nDCG@10 of the two sets, and of each language and sort in the first."""
    gathered: dict[str, list[float]] = defaultdict(list)
    for query in range(len(examples.wanted)):
        rows = examples.rows(query)
        value = ndcg(examples.labels[rows], scores[rows], int(examples.wanted[query]))
        _, language, sort, _ = examples.tasks[query]
        if sort in ("commit", "commit with history", "issue"):
            gathered[f"{sort}s" if sort != "commit with history" else "commits with history"].append(value)
        else:
            for key in ("queries", f"sort {sort}", f"language {language}"):
                gathered[key].append(value)
    return {key: float(np.mean(found)) for key, found in sorted(gathered.items())}


def fit_and_report(arguments: argparse.Namespace) -> None:
    """Leave each repository out in turn, say how that does, then learn from all."""
    examples, of_issues = Examples.read(arguments.examples), Examples.read(arguments.issues)
    extra = [Examples.read(path) for path in arguments.extra]
    mined = {"commit": arguments.mined_commits, "symbol": arguments.mined_symbols, "doc": arguments.mined_docs}
    others = []
    for each in extra:
        queries = np.arange(len(each.wanted))
        others.append((each, queries, weights_of(each, queries, mined, arguments.mined_headings)))

    def fitted(without: set[str]) -> Lines:
        queries = np.flatnonzero(~np.isin(examples.tasks[:, 0], sorted(without)))
        counts = weights_of(examples, queries, {"commit": 1.0}, arguments.queries)
        return fit([(examples, queries, counts), *others], arguments.penalty, arguments.apart)

    def fitted_to_issues(without: set[str]) -> Lines:
        queries = np.flatnonzero(~np.isin(of_issues.tasks[:, 0], sorted(without)))
        return fit([(of_issues, queries, np.ones(len(queries)))], arguments.issue_penalty, 1.0)

    whole, whole_of_issues = fitted(set()), fitted_to_issues(set())
    lines, scores = left_out(examples, fitted, arguments.folds)
    _say(report(examples, scores), report(examples, scored(examples, lambda _: whole)))
    scores = left_out(of_issues, fitted_to_issues, arguments.folds or 8)[1]
    _say(report(of_issues, scores), report(of_issues, scored(of_issues, lambda _: whole_of_issues)))
    for place in np.argsort(-np.abs(whole.questions)).tolist():
        print(f"  {FEATURES[place]:20} questions {whole.questions[place]:+.3f}   changes {whole.changes[place]:+.3f}")
    for place in np.argsort(-np.abs(whole_of_issues.questions)).tolist():
        print(f"  {ISSUE_FEATURES[place]:20} issues {whole_of_issues.questions[place]:+.3f}")
    if arguments.out:
        write_models(whole, whole_of_issues, arguments.out)
    if arguments.models:
        arguments.models.mkdir(parents=True, exist_ok=True)
        for repository, fold in lines.items():
            write_models(fold, whole_of_issues, arguments.models / f"{repository}.json")


def _say(out_of_fold: dict[str, float], in_sample: dict[str, float]) -> None:
    for key, value in out_of_fold.items():
        print(f"{key:24} out of fold {value:.4f}   in sample {in_sample[key]:.4f}")


def left_out(examples: Examples, fitted: Callable[[set[str]], Lines], folds: int) -> tuple[dict[str, Lines], np.ndarray]:
    """The models that had no part in each repository, and the scores that they give its files.

    Args:
        examples: of all repositories.
        fitted: the models learned without some of them.
        folds: into so many the repositories are divided; 0 leaves one out at a time.
    """
    repositories = sorted(set(examples.tasks[:, 0].tolist()))
    count = folds or len(repositories)
    lines: dict[str, Lines] = {}
    for fold in (repositories[place::count] for place in range(count)):
        lines |= dict.fromkeys(fold, fitted(set(fold)))
    return lines, scored(examples, lambda query: lines[examples.tasks[query][0]])


def scored(examples: Examples, lines_for: Callable[[int], Lines]) -> np.ndarray:
    """The score of every row, each query by the models that ``lines_for`` has for it."""
    scores = np.zeros(len(examples.labels))
    for query in range(len(examples.wanted)):
        rows = examples.rows(query)
        scores[rows] = lines_for(query).scores(examples.values[rows], is_change=examples.is_change(query))
    return scores


GROUPS = {
    "chunks by keyword": ("lexical_best", "lexical_share", "lexical_three"),
    "chunks by vector": ("dense_best", "dense_share", "dense_three"),
    "whole files by keyword": ("words_best", "words_share", "words_cover"),
    "words on one line": ("pairs_share",),
    "paths": ("stem_cover", "stem_precision", "stem_is_named", "stem_in_query", "folder_cover", "path_cover"),
    "names of symbols": ("name_cover", "type_cover", "symbol_match", "type_match", "symbol_references"),
    "names and paths together": ("identity_cover", "any_cover"),
    "definitions": ("defines", "defines_alone"),
    "folder coherence": ("folder_share",),
    "tests, documentation, what stands aside": ("is_test", "is_aside", "is_documentation", "is_configuration", "other_language"),
    "copies, templates, tools": ("is_copy", "is_document_code", "is_template", "is_tool"),
    "earlier changes": ("changed_best", "changed_share"),
    "headers, indexes, platforms": ("is_index", "is_header", "has_header", "platform", "depth"),
    "size and shape": ("log_length", "log_functions", "log_types", "function_share"),
    "references from elsewhere": ("log_references", "log_importers"),
}
"""Every feature in one group."""


def ablate(arguments: argparse.Namespace) -> None:
    """Print what lists alone are worth, then groups of features one after another, then all but each."""
    assert sorted(FEATURES) == sorted(name for group in GROUPS.values() for name in group)
    examples = Examples.read(arguments.examples)
    keyword, vector = (examples.values[:, FEATURES.index(name)] for name in ("lexical_best", "dense_best"))
    fused = np.zeros(len(keyword))
    for query in range(len(examples.wanted)):
        rows = examples.rows(query)
        for scores in (keyword[rows], vector[rows]):
            order = np.argsort(-scores, kind="stable")
            ranks = np.empty(len(order))
            ranks[order] = np.arange(1, len(order) + 1)
            fused[rows] += np.where(scores > 0, 1 / (60 + ranks), 0.0)
    print("| ranked by | queries | commits | with history |\n| --- | ---: | ---: | ---: |")
    for name, scores in (("keyword alone", keyword), ("vectors alone", vector), ("both, rank fusion", fused)):
        _print_row(name, report(examples, scores))
    taken: list[str] = []
    for number, (name, group) in enumerate(GROUPS.items()):
        taken += group
        if number:
            _print_row(
                f"{'learned: ' if number == 1 else '+ '}{'both' if number == 1 else name}", _out_of_fold(examples, taken, arguments)
            )
    for name, group in GROUPS.items():
        _print_row(f"all but {name}", _out_of_fold(examples, [each for each in FEATURES if each not in group], arguments))


def _out_of_fold(examples: Examples, features: Sequence[str], arguments: argparse.Namespace) -> dict[str, float]:
    """What weights over these features alone do on repositories that had no part in them."""
    kept = [FEATURES.index(name) for name in features]
    part = replace(examples, values=examples.values[:, kept])

    def fitted(without: set[str]) -> Lines:
        queries = np.flatnonzero(~np.isin(examples.tasks[:, 0], sorted(without)))
        counts = weights_of(part, queries, {"commit": 1.0}, arguments.queries)
        return fit([(part, queries, counts)], arguments.penalty, arguments.apart)

    return report(part, left_out(part, fitted, arguments.folds)[1])


def _print_row(name: str, said: dict[str, float]) -> None:
    print(f"| {name} | {said['queries']:.3f} | {said['commits']:.3f} | {said['commits with history']:.3f} |", flush=True)


def ablate_issues(arguments: argparse.Namespace) -> None:
    """Print what the ranking of issues does without each of its parts."""
    examples = Examples.read(arguments.issues)
    groups = {
        "nothing": (),
        "title": tuple(name for name in ISSUE_FEATURES if name.startswith("title_")),
        "body": tuple(name for name in ISSUE_FEATURES if name.startswith("body_")),
        "tracebacks": ("traced_nearest", "traced", "traced_anywhere"),
        "files and modules that are named": ("named_file", "named_module"),
        "definitions of names": ("defines_titled", "defines_named", "defines_coded"),
        "roles and shapes of files": PRIORS,
    }
    print("| all but | issues |\n| --- | ---: |")
    for name, group in groups.items():
        kept = [place for place, feature in enumerate(ISSUE_FEATURES) if feature not in group]
        part = replace(examples, values=examples.values[:, kept])

        def fitted(without: set[str], part: Examples = part) -> Lines:
            queries = np.flatnonzero(~np.isin(part.tasks[:, 0], sorted(without)))
            return fit([(part, queries, np.ones(len(queries)))], arguments.issue_penalty, 1.0)

        print(f"| {name} | {report(part, left_out(part, fitted, arguments.folds)[1])['issues']:.3f} |", flush=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, dest="verb")
    features = verbs.add_parser("features", help="ask queries, write features")
    features.add_argument("--benchmark", type=Path, help="the harness' directory")
    features.add_argument("--checkouts", type=Path, help="its repositories")
    features.add_argument("--bundles", type=Path, help="bundles of whole checkouts, by name")
    features.add_argument("--issues", type=Path, help="what mine_issues.py made")
    features.add_argument("--mined", type=Path, help="what mine_queries.py and mine_bundles.py made")
    features.add_argument("--out", type=Path, required=True)
    learn = verbs.add_parser("fit", help="learn the weights")
    learn.add_argument("examples", type=Path, help="features of the benchmark's queries")
    learn.add_argument("issues", type=Path, help="features of issues")
    learn.add_argument("--extra", type=Path, nargs="*", default=[], help="further examples, only learnt from")
    learn.add_argument("--folds", type=int, default=0, help="so many folds of repositories; 0 leaves one out at a time")
    learn.add_argument("--penalty", type=float, default=0.003)
    learn.add_argument("--apart", type=float, default=0.05, help="penalty on what the model for changes has other weights by")
    learn.add_argument("--issue-penalty", type=float, default=0.1)
    learn.add_argument("--queries", type=float, default=1.5, help="what a query of the first set counts for beside a commit's")
    for name, default in (("commits", 0.3), ("symbols", 0.1), ("docs", 0.2), ("headings", 0.2)):
        learn.add_argument(f"--mined-{name}", type=float, default=default)
    learn.add_argument("--out", type=Path)
    learn.add_argument("--models", type=Path, help="where to write the models that had no part in each repository")
    without = verbs.add_parser("ablate", help="what groups of features are worth")
    without.add_argument("examples", type=Path)
    without.add_argument("issues", type=Path)
    without.add_argument("--issue-penalty", type=float, default=0.1)
    without.add_argument("--folds", type=int, default=8)
    without.add_argument("--penalty", type=float, default=0.003)
    without.add_argument("--apart", type=float, default=0.05)
    without.add_argument("--queries", type=float, default=1.5)
    arguments = parser.parse_args()
    if arguments.verb == "ablate":
        ablate(arguments)
        ablate_issues(arguments)
    elif arguments.verb == "fit":
        fit_and_report(arguments)
    elif arguments.issues:
        write_features(issue_tasks(arguments.issues, arguments.bundles), arguments.out)
    elif arguments.mined:
        write_features(mined_tasks(arguments.mined), arguments.out)
    else:
        write_features(benchmark_tasks(arguments.benchmark, arguments.bundles, arguments.checkouts), arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
