"""Compares our plurals, singulars and snake-case names with those of Doctrine Inflector, which Laravel uses, over a dictionary.

    python benchmarks/inflection_oracle.py [--words FILE] [--inflector DIR] [--misses FILE]

Needs ``php-cli``, ``php-doctrine-inflector`` (Debian) and a list of words (Debian: wamerican). ``--inflector`` names the
``Inflector`` directory of another version. Every word is asked for in lower case, capitalised, in capitals, after another word
(``UserWord``) and in the plural. Exit status 1 unless every answer is equal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from hardtack.build.frameworks.laravel.inflection import plural, plural_studly, singular, snake

PROGRAM = r"""
spl_autoload_register(function ($class) use ($argv) {
    $path = $argv[1] . '/' . str_replace('\\', '/', substr($class, strlen('Doctrine\\Inflector\\'))) . '.php';
    if (is_file($path)) require $path;
});
$inflector = Doctrine\Inflector\InflectorFactory::create()->build();
// What follows is Illuminate\Support\Pluralizer and Illuminate\Support\Str, word for word.
function matchCase($value, $comparison) {
    foreach (['mb_strtolower', 'mb_strtoupper', 'ucfirst', 'ucwords'] as $function) {
        if ($function($comparison) === $comparison) return $function($value);
    }
    return $value;
}
function plural($value) {
    global $inflector;
    if (in_array(strtolower($value), ['recommended', 'related'])) return $value;
    if (preg_match('/^(.*)[A-Za-z0-9\x{0080}-\x{FFFF}]$/u', $value) == 0) return $value;
    return matchCase($inflector->pluralize($value), $value);
}
function singular($value) {
    global $inflector;
    return matchCase($inflector->singularize($value), $value);
}
function pluralStudly($value) {
    $parts = preg_split('/(.)(?=[A-Z])/u', $value, -1, PREG_SPLIT_DELIM_CAPTURE);
    $last = array_pop($parts);
    return implode('', $parts) . plural($last);
}
function snake($value) {
    if (ctype_lower($value)) return $value;
    $value = preg_replace('/\s+/u', '', ucwords($value));
    return mb_strtolower(preg_replace('/(.)(?=[A-Z])/u', '$1_', $value), 'UTF-8');
}
while (($line = fgets(STDIN)) !== false) {
    $word = json_decode($line);
    echo json_encode([plural($word), singular($word), pluralStudly($word), snake($word)]), "\n";
}
"""


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=Path, default=Path("/usr/share/dict/words"), help="one word a line")
    parser.add_argument("--inflector", type=Path, default=Path("/usr/share/php/Doctrine/Inflector"))
    parser.add_argument("--misses", type=Path, help="write what differs there: word, theirs, ours")
    arguments = parser.parse_args()
    words = forms_of(arguments.words.read_text(encoding="utf-8").split())
    asked = "".join(json.dumps(word) + "\n" for word in words)
    command = ["php", "-r", PROGRAM, "--", str(arguments.inflector)]
    answers = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    misses = []
    for word, answer in zip(words, answers, strict=True):
        theirs, ours = json.loads(answer), [plural(word), singular(word), plural_studly(word), snake(word)]
        if theirs != ours:
            misses.append(f"{word}\t{theirs}\t{ours}\n")
    print(f"{len(words) - len(misses)} of {len(words)} words inflected alike")
    if arguments.misses:
        arguments.misses.write_text("".join(misses), encoding="utf-8")
    return 1 if misses else 0


def forms_of(words: list[str]) -> list[str]:
    """Each word as the names in code would have it; every word once, in order."""
    forms = [form for word in words for form in (word, word.lower(), word.capitalize(), word.upper(), f"User{word.capitalize()}")]
    return list(dict.fromkeys([*forms, *(plural(word) for word in words), "URLList", "user_posts", "seaBass", "sea-bass", "Post2"]))


if __name__ == "__main__":
    sys.exit(main())
