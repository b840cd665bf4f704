"""A table of the benchmark and the picture of it: what was measured, and what each figure is held against.

A :class:`Section` holds every single value; medians, quartiles and ratios are made of them here and nowhere else, so that table and
picture say the same.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import ratios, spread, table


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One comparison over one tree: values that were taken in turns, so that the n-th of each belong together."""

    title: str
    unit: str
    values: Mapping[str, Sequence[float]]
    """Label to its values; more is worse."""
    against: tuple[str, ...] = ()
    """The labels that the others are held against; those that were not measured are left out."""
    digits: int = 2

    @property
    def references(self) -> list[str]:
        """Those of :attr:`against` that were measured."""
        return [label for label in self.against if label in self.values]

    def markdown(self) -> str:
        """Medians with quartiles, and the ratios, taken turn by turn."""
        head = ["", self.unit, *(f"to {label}" for label in self.references)]
        rows = [
            [label, _shown(values, self.digits), *(_shown(self.ratios(label, other), 2) for other in self.references)]
            for label, values in self.values.items()
        ]
        return f"**{self.title}**\n\n{table(head, rows)}"

    def ratios(self, label: str, other: str) -> list[float]:
        """Of one label's values to another's: turn by turn, or of the medians where there are not as many of both."""
        mine, theirs = self.values[label], self.values[other]
        return ratios(mine, theirs) if len(mine) == len(theirs) else [statistics.median(mine) / statistics.median(theirs)]


def draw(title: str, sections: Mapping[str, Section], place: Path) -> None:
    """One picture of a section over several trees: horizontal bars of medians, whiskers from first to third quartile."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "hardtack", "svg.fonttype": "none"}  # the same figures give the same picture; text stays text
    from matplotlib import pyplot

    rows = max(len(section.values) for section in sections.values())
    figure, axes = pyplot.subplots(1, len(sections), figsize=(4.2 * len(sections), 0.9 + 0.34 * rows), squeeze=False)
    for axis, (tree, section) in zip(axes[0], sections.items(), strict=True):
        labels = [*section.values][::-1]
        cuts = [_quartiles(section.values[label]) for label in labels]
        middles = [cut[1] for cut in cuts]
        colours = ["#b3541e" if "hardtack" in label else "#8a8f98" for label in labels]
        whiskers = [[cut[1] - cut[0] for cut in cuts], [cut[2] - cut[1] for cut in cuts]]
        is_spread = any(len(values) > 1 for values in section.values.values())
        axis.barh(labels, middles, xerr=whiskers if is_spread else None, color=colours, ecolor="#333333", capsize=2)
        axis.set_title(tree, fontsize=10)
        axis.set_xlabel(section.unit, fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title, fontsize=11)
    figure.tight_layout()
    figure.savefig(place, metadata={"Date": None})
    pyplot.close(figure)


def _shown(values: Sequence[float], digits: int) -> str:
    """The median with its quartiles, or the one value there is."""
    return spread(values, 1, digits) if len(values) > 1 else f"{values[0]:.{digits}f}"


def _quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high
