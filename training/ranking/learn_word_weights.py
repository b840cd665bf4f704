"""Learns from histories how much each word of a question tells of where its answer is (``word_weights.tsv``).

    python learn_word_weights.py --work DIR --out src/hardtack/query/request/word_weights.tsv

DIR is what mine_queries.py wrote. Each subject of a commit in the pinned repositories' histories is a question, the one to three
files it touched are its answers. A word tells much when the files that were touched have it far more often than files that are
touched at all: ``fix`` is in as many of them as ever, ``websocket`` in hardly any other. With q the share of all touched files of
the repository that have a word, and p that share among the files of commits whose subject has it,

    logit p = logit q + weight(word) * (c + d * log(1 / q))

where c and d are learned as well, words that few subjects have weigh 1, and the weights of the others are drawn towards their
mean. The left side less logit q is the relevance weight of Robertson and Spaerck Jones (JASIS 27(3), 1976); what is learned here is
which part of it a word keeps.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.optimize
from mine_commits import candidates_of, history_of, parse_log
from mine_repositories import Repository, files_of, listed_repositories

from hardtack.text import stem_of, terms_of

LEAST_SUBJECTS, LEAST_REPOSITORIES = 15, 5
"""Subjects and repositories that a word must occur in to get a weight of its own."""
LEAST_SHARE = 0.0035
"""A word that hardly any touched file has cannot be found in the answers either, whatever it tells."""
SPREAD = 0.3
"""Standard deviation of the weights around their mean, as it is thought to be beforehand."""
MOST, LEAST = 1.3, 0.02


@dataclass(frozen=True, slots=True)
class Sighting:
    """One stem in one subject."""

    repository: str
    stem: str
    found: float
    """The share of the answers that have it."""
    usual: float
    """The share of all files touched in the repository that do."""


def sightings_of(repository: Repository, checkout: Path) -> Iterator[Sighting]:
    """What the history of one repository says of the words in its subjects."""
    files = files_of(repository, checkout)
    stems: dict[str, frozenset[str]] = {}
    for path in files:
        text = (checkout / path).read_text("utf-8", "replace") if (checkout / path).is_file() else ""
        stems[path] = frozenset(map(stem_of, set(terms_of(f"{path} {text}"))))
    asked = list(candidates_of(parse_log(history_of(checkout, repository.revision)), repository, files))
    touched: defaultdict[str, float] = defaultdict(float)
    for _, _, answers in asked:
        for path in answers:
            for stem in stems[path]:
                touched[stem] += 1 / len(answers)
    for _, query, answers in asked:
        for stem in dict.fromkeys(map(stem_of, terms_of(query))):
            found = sum(stem in stems[path] for path in answers) / len(answers)
            yield Sighting(repository.name, stem, found, (touched[stem] - found + 0.2) / len(asked))


def fitted(sightings: list[Sighting]) -> dict[str, float]:
    """A weight for each stem that enough subjects have."""
    seen = [each for each in sightings if each.usual > LEAST_SHARE]
    subjects = Counter(each.stem for each in seen)
    repositories = defaultdict(set)
    for each in seen:
        repositories[each.stem].add(each.repository)
    stems = sorted(
        stem for stem, count in subjects.items() if count >= LEAST_SUBJECTS and len(repositories[stem]) >= LEAST_REPOSITORIES
    )
    number = {stem: place for place, stem in enumerate(stems)}
    places = np.array([number.get(each.stem, len(stems)) for each in seen])
    found = np.array([each.found for each in seen])
    usual = np.clip(np.array([each.usual for each in seen]), 0.002, 0.998)
    offset, rarity = np.log(usual / (1 - usual)), -np.log(usual)
    often = Counter((each.repository, each.stem) for each in seen)
    counts = np.array([often[each.repository, each.stem] ** -0.5 for each in seen])  # no repository speaks for all

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        weights, (start, slope, mean) = np.append(values[: len(stems)], 1.0), values[len(stems) :]
        tells = start + slope * rarity
        chance = 1 / (1 + np.exp(-(offset + weights[places] * tells)))
        likelihood = found * np.log(chance + 1e-12) + (1 - found) * np.log(1 - chance + 1e-12)
        away = values[: len(stems)] - mean
        error = counts * (chance - found)
        gradient = np.zeros_like(values)
        gradient[: len(stems)] = np.bincount(places, error * tells, len(stems) + 1)[:-1] + away / SPREAD**2
        gradient[len(stems) :] = (error @ weights[places], error @ (weights[places] * rarity), -away.sum() / SPREAD**2)
        return float(-counts @ likelihood + away @ away / (2 * SPREAD**2)), gradient

    begin = np.concatenate([np.full(len(stems), 0.6), [1.0, 1.0, 0.6]])
    values = scipy.optimize.minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    print(f"{len(seen)} sightings of {len(stems)} stems; a word of weight 1 tells {values[-3]:.2f} + {values[-2]:.2f} log(1 / q)")
    return {stem: round(float(min(max(value, LEAST), MOST)), 2) for stem, value in zip(stems, values, strict=False)}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="the folder that mine_queries.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    sightings: list[Sighting] = []
    for repository in listed_repositories():
        before = len(sightings)
        sightings += sightings_of(repository, arguments.work / "repos" / repository.name)
        print(repository.name, len(sightings) - before, flush=True)
    arguments.out.write_text("".join(f"{stem}\t{weight}\n" for stem, weight in fitted(sightings).items()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
