"""A table of features in, one score a file out: the learned linear model of ranking.

Each feature is standardised (mean and scale of the training data) and multiplied by a weight; the sum is the file's score. The
weights were trained with a softmax over the files of each training query (ListNet with the top file: Cao et al., ICML 2007).
``training/ranking`` describes the training queries; benchmarks/RESULTS.md has the measurements on repositories outside that set.
There are three models: questions name what they look for, descriptions of a change quote the code to be changed, and issues have
features of their own (:data:`hardtack.query.ranking.features.ISSUE_FEATURES`).
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hardtack.errors import UsageError
from hardtack.query.ranking.features import FEATURES, ISSUE_FEATURES
from hardtack.query.request.aspects import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SHIPPED: Final = Path(__file__).parent / "ranking.json"


class RankingModel(NamedTuple):
    """Weights for :data:`FEATURES` or :data:`ISSUE_FEATURES`. Immutable; threads may share one."""

    means: Floats
    scales: Floats
    weights: Floats

    def contributions(self, values: Floats) -> Floats:
        """What each feature adds to each file's score.

        Args:
            values: (files, features).

        Returns:
            The same shape.
        """
        added: Floats = (values - self.means) / self.scales * self.weights
        return added

    def scores(self, values: Floats) -> Floats:
        """One score a file, (files,), from (files, features). Only differences between scores have a meaning."""
        factors = self.weights / self.scales
        scores: Floats = values @ factors - self.means @ factors
        return scores

    def chances(self, scores: Floats, among: Floats) -> Floats:
        """The probability that each is the answer, if one of the files is: the softmax that the weights were trained for.

        Args:
            scores: of files, or of chunks: the score of the file less a penalty.
            among: the scores of all files that may answer.

        Returns:
            0 to 1; those of the files add up to 1.
        """
        most = among.max(initial=-np.inf)
        chances: Floats = np.exp(scores - most) / np.exp(among - most).sum() if len(among) else np.zeros(len(scores))
        return np.minimum(chances, 1.0)


class RankingModels(NamedTuple):
    """One model for questions, one for descriptions of a change, one for issues."""

    questions: RankingModel
    changes: RankingModel
    issues: RankingModel

    def of(self, reading: Reading) -> RankingModel:
        """The model for a query."""
        if reading.issue is not None:
            return self.issues
        return self.changes if reading.analysis.describes_change else self.questions


def read_models(path: Path) -> RankingModels:
    """Read the models from a JSON file.

    Raises:
        UsageError: the file is not a ranking model, or has other features than :data:`FEATURES` and :data:`ISSUE_FEATURES`.
    """
    try:
        fields: dict[str, Any] = json.loads(path.read_bytes())
        means, scales, questions, changes = _columns(fields, FEATURES, "means", "scales", "questions", "changes")
        issues = RankingModel(*_columns(fields["issues"], ISSUE_FEATURES, "means", "scales", "weights"))
    except _OtherFeatures as error:
        raise UsageError(
            f"{path} is a ranking model for other features.", hint="Train it again: training/ranking/README.md."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a ranking model: {error}.") from error
    return RankingModels(RankingModel(means, scales, questions), RankingModel(means, scales, changes), issues)


class _OtherFeatures(Exception):
    """The model is for other features."""


def _columns(fields: dict[str, Any], features: tuple[str, ...], *names: str) -> list[Floats]:
    """The columns of these names, each with a number for each of ``features``."""
    columns = [np.array([float(each) for each in fields[name]]) for name in names]
    if tuple(fields["features"]) != features or any(column.shape != (len(features),) for column in columns):
        raise _OtherFeatures
    return columns


@lru_cache(maxsize=1)
def shipped_models() -> RankingModels:
    """The models that the package carries."""
    return read_models(_SHIPPED)
