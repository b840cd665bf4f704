"""Shared by the tests of tools that look names up: a bundle of several languages, and calls whose every answer is checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import write
from tool_calls import outcome_of

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome
from hardtack.tools.tool import REPLY_BYTES, Call

YARD = {
    "shop/cart.go": """// Package shop sells.
package shop

import "fmt"

// Limit is how much fits.
const Limit = 9

// Cart holds items.
// It rolls.
type Cart struct {
	Items []string `json:"items"` // in order
	total int
}

// Priced has a price.
type Priced interface {
	// Price is in cents.
	Price(currency string) (int, error)
}

// Open makes an empty cart.
func Open(name string, size int) (*Cart, error) { return nil, fmt.Errorf(name) }

func (c *Cart) Price(currency string) (int, error) { return c.sum(), nil }

func (c *Cart) sum() int { return c.total }
""",
    "shop/cart_test.go": 'package shop\n\nfunc TestOpen() { Open("a", 1) }\n',
    "app/User.php": """<?php
namespace App\\Models;

use Illuminate\\Database\\Eloquent\\Model;

class User extends Model
{
    protected $fillable = ['name'];

    /** Who wrote it. */
    protected ?string $author = null;

    public function posts() { return $this->hasMany(Post::class, 'user_id', 'id'); }

    public function scopeActive($query, bool $really = true): mixed { return $query; }
}
""",
    "app/Post.php": "<?php\nnamespace App\\Models;\n\nclass Post extends User {}\n",
    "lib/base.py": '''"""Jobs."""
import abc


class Job(abc.ABC):
    """One thing to do."""

    def run(self, how: str = "fast") -> int:
        """Do it."""
        return self.prepare()

    def prepare(self) -> int:
        return 1


class Bake(Job):
    def run(self, how: str = "slow") -> int:
        return super().run(how)


class BakeBread(Bake):
    pass


def work(job: Job) -> None:
    job.run()
    job.run(); job.prepare()


def _hidden(): ...
''',
    "lib/more.py": """from lib.base import Bake, Job


class Oven:
    def run(self): ...


def start(job: Job):
    job.run()
    Bake()


class Rack:
    Oven = None
""",
    "lib/wordy.py": "".join(
        f'def wordy_{n:03}(a: str = "{"x" * 150}") -> int:\n    """{"Words. " * 25}"""\n    return {n}\n\n\n' for n in range(120)
    ),
    "lib/many.py": "".join(f"def item_{number:03}(a: int) -> int:\n    return {number}\n\n\n" for number in range(150)),
    "lib/used.py": "from lib.many import item_000\n\n\ndef use() -> None:\n" + "    item_000(1)\n" * 120,
    "tests/test_used.py": "def use() -> None:\n    pass\n",
    "lib/long.py": "class Long:\n"
    + "".join(
        f'    def method_{n:03}(self, a: str = "{"x" * 60}") -> None:\n        """{"Words. " * 20}"""\n\n' for n in range(200)
    ),
    "lib/vast.py": "def vast() -> list[int]:\n    return [\n" + "        1, 2, 3, 4, 5, 6, 7, 8,\n" * 3000 + "    ]\n",
}
"""Path -> text."""

Ask = Callable[..., Outcome]


@pytest.fixture(scope="session")
def yard_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That bundle; tests must not write into it."""
    root = tmp_path_factory.mktemp("tools")
    write(root / "yard", YARD)
    build_bundle(root / "yard", root / "yards", BuildOptions(profile="keyword", jobs=1))
    return root / "yards"


@pytest.fixture(scope="session")
def ask(yard_bundle: Path, pantry_bundle: Path) -> Ask:
    """Calls a tool by its name with its arguments; an answer has to fit its published schema and a reply's bytes."""
    call = Call(catalog=Catalog(named=[str(yard_bundle), str(pantry_bundle)]))

    def asked(name: str, **arguments: object) -> Outcome:
        outcome = outcome_of(call, name, **arguments)
        if outcome.error is None:
            assert REPLY_BYTES + 1000 > len(json.dumps(outcome.structured, ensure_ascii=False, separators=(",", ":")).encode())
            assert REPLY_BYTES + 1000 > len(outcome.text.encode())
        return outcome

    return asked
