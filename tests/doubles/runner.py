"""A composite action in, what its steps do out: a GitHub runner on this machine, as far as the project's own actions need one.

Steps run as the runner runs them: ``run`` by bash with its options, in an environment of its own, with the files that a step writes
outputs and its summary to. Expressions are evaluated for the few forms that are used; any other is an error. Actions of others are
given as functions.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

Uses = Callable[[Mapping[str, str]], Mapping[str, str]]
"""What stands in for an action: its inputs in, its outputs out."""

_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_COMMAND = re.compile(r"::(\w[\w-]*)(?: ([^:]*(?:%3A[^:]*)*))?::(.*)")


def read_yaml(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


@dataclass
class Ran:
    """What a run of an action came to."""

    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""
    summary: str = ""
    code: int = 0

    @property
    def annotations(self) -> list[tuple[str, dict[str, str], str]]:
        """Level, properties and message of each, decoded as the runner does: only lines that begin with ``::`` are commands."""
        found = []
        for line in self.log.splitlines():
            if match := _COMMAND.fullmatch(line.lstrip()):
                pairs = dict(pair.split("=", 1) for pair in (match[2] or "").split(",") if "=" in pair)
                found.append((match[1], {name: _decoded(value) for name, value in pairs.items()}, _decoded(match[3])))
        return found


@dataclass
class Runner:
    temp: Path
    workspace: Path
    environment: Mapping[str, str]
    """What the runner sets for every step, beside its own: ``GITHUB_SHA`` and the like."""
    actions: Mapping[str, Uses]
    """``owner/name`` -> what stands in for it."""
    skips: frozenset[str] = frozenset()
    """Names of steps that are left out."""
    event: Mapping[str, Any] = field(default_factory=dict)
    """What GitHub tells of the event, with text for its scalars."""

    def run(self, action: Path, **inputs: str) -> Ran:
        """Run the action whose file this is; an input's hyphens are underscores here. A step that fails ends it."""
        document = read_yaml(action)
        values = {name: _scalar(given.get("default", "")) for name, given in document["inputs"].items()}
        known = {"action_path": str(action.parent), "token": "", "event": self.event}
        context: dict[str, Any] = {"github": known, "runner": {"temp": str(self.temp)}}
        context |= {"steps": {}, "inputs": {}}
        context["inputs"] = {name: self._text(value, context) for name, value in values.items()}
        unknown = {name.replace("_", "-") for name in inputs} - set(values)
        assert not unknown, unknown
        context["inputs"] |= {name.replace("_", "-"): value for name, value in inputs.items()}
        ran = Ran()
        for step in document["runs"]["steps"]:
            if step.get("name") in self.skips or not self._holds(step.get("if", "true"), context):
                continue
            outputs = self._uses(step, context) if "uses" in step else self._shell(step, context, ran)
            if "id" in step:
                context["steps"][step["id"]] = {"outputs": dict(outputs)}
            if ran.code:
                return ran
        ran.outputs = {name: self._text(given["value"], context) for name, given in document.get("outputs", {}).items()}
        return ran

    def _uses(self, step: Mapping[str, Any], context: Mapping[str, Any]) -> Mapping[str, str]:
        name, _, pin = step["uses"].partition("@")
        assert re.fullmatch("[0-9a-f]{40}", pin)
        return self.actions[name]({key: self._text(_scalar(value), context) for key, value in step.get("with", {}).items()})

    def _shell(self, step: Mapping[str, Any], context: Mapping[str, Any], ran: Ran) -> Mapping[str, str]:
        assert "bash" == step["shell"]
        assert "${{" not in step["run"]
        output, summary, script = (self.temp / name for name in ("output", "summary", "script.sh"))
        output.write_bytes(b"")
        summary.write_bytes(b"")
        script.write_text(step["run"], encoding="utf-8")
        own = {"GITHUB_ACTIONS": "true", "RUNNER_TEMP": str(self.temp)}
        own |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        given = {name: self._text(_scalar(value), context) for name, value in step.get("env", {}).items()}
        outside = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PIP_CONFIG_FILE") if name in os.environ}
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(
            command, cwd=self.workspace, env={**outside, **own, **self.environment, **given}, capture_output=True, check=False
        )
        ran.code = done.returncode
        ran.log += (done.stdout + done.stderr).decode("utf-8", "replace")
        ran.summary += summary.read_text(encoding="utf-8")
        return _outputs(output.read_text(encoding="utf-8"))

    def _text(self, text: str, context: Mapping[str, Any]) -> str:
        return _EXPRESSION.sub(lambda match: self._value(match[1], context), text)

    def _value(self, expression: str, context: Mapping[str, Any]) -> str:
        value: Any = context
        assert re.fullmatch(r"[\w.-]+", expression), expression
        *names, last = expression.split(".")
        for name in names:
            value = value.get(name, {})
        return str(value.get(last, ""))

    def _holds(self, condition: str, context: Mapping[str, Any]) -> bool:
        if condition == "true":
            return True
        match = re.fullmatch(r"([\w.-]+) == '(\w+)'", condition)
        assert match, condition
        return self._value(match[1], context) == match[2]


def _scalar(value: object) -> str:
    """As the runner turns YAML's scalars into text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _outputs(text: str) -> dict[str, str]:
    """What a step wrote to ``GITHUB_OUTPUT``, read as the runner reads it."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            name, _, fence = line.partition("<<")
            value = []
            while (each := next(lines)) != fence:
                value.append(each)
            found[name] = "\n".join(value)
        else:
            assert equals > 0, line
            found[line[:equals]] = line[equals + 1 :]
    return found


def _decoded(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text
