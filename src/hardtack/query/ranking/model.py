"""A table of features in, one number a file out, and what each feature added to it: the learned part of ranking.

The model is a straight line: each feature is brought to the scale it had in training and multiplied by a weight, and the products
are added up. Weights come from a softmax over the files of each training query (ListNet with the top file: Cao et al., ICML 2007);
``training/ranking`` says on which queries, and benchmarks/RESULTS.md what they are worth on repositories that had no part in it.
Who asks for something names it; who tells of a change quotes the code that is to change. There is a model for each of the two.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hardtack.errors import UsageError
from hardtack.query.ranking.features import FEATURES
from hardtack.query.request.analysis import TextAnalysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SHIPPED: Final = Path(__file__).parent / "ranking.json"


class RankingModel(NamedTuple):
    """Weights for :data:`FEATURES`. Immutable; threads may share one."""

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
        """One score a file, of no scale that means anything by itself: (files,) from (files, features)."""
        factors = self.weights / self.scales
        scores: Floats = values @ factors - self.means @ factors
        return scores

    def chances(self, scores: Floats, among: Floats) -> Floats:
        """The chance that each is what was meant, given that one of the files is: the softmax that the weights were learned for.

        Args:
            scores: of files, or of places that stand behind their files.
            among: the scores of all files that may answer.

        Returns:
            In 0..1; those of the files come to 1 together.
        """
        most = among.max(initial=-np.inf)
        chances: Floats = np.exp(scores - most) / np.exp(among - most).sum() if len(among) else np.zeros(len(scores))
        return np.minimum(chances, 1.0)


class RankingModels(NamedTuple):
    """The models for the two sorts of queries."""

    questions: RankingModel
    changes: RankingModel

    def of(self, analysis: TextAnalysis) -> RankingModel:
        """The model for a query."""
        return self.changes if analysis.describes_change else self.questions


def read_models(path: Path) -> RankingModels:
    """The models in a JSON file.

    Raises:
        UsageError: it is no such file, or was made for other features.
    """
    try:
        fields: dict[str, Any] = json.loads(path.read_bytes())
        columns = [np.array([float(each) for each in fields[name]]) for name in ("means", "scales", "questions", "changes")]
        names = tuple(fields["features"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a ranking model: {error}.") from error
    if names != FEATURES or any(column.shape != (len(FEATURES),) for column in columns):
        raise UsageError(f"{path} is a ranking model for other features.", hint="Train it again: training/ranking/README.md.")
    means, scales, questions, changes = columns
    return RankingModels(RankingModel(means, scales, questions), RankingModel(means, scales, changes))


@lru_cache(maxsize=1)
def shipped_models() -> RankingModels:
    """The models that the package carries."""
    return read_models(_SHIPPED)
