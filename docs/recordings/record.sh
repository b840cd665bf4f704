#!/usr/bin/env bash
# Record an agent's five calls: docs/recordings/agent.cast, and agent.svg made of it. Needs asciinema (PyPI) and svg-term-cli (npm).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
asciinema rec --overwrite --cols 120 --rows 40 --title "hardtack serve: an agent's five calls" \
  --command "${PYTHON:-python3} docs/recordings/agent_session.py" docs/recordings/agent.cast
svg-term --in docs/recordings/agent.cast --out docs/recordings/agent.svg --window --no-cursor
