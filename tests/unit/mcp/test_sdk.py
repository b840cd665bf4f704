"""A server imports only the parts of the SDK that it uses, and changes nothing in it."""

from __future__ import annotations

import subprocess
import sys

LIGHTLY = """
import gc, sys
from hardtack.mcp.sdk import imported_lightly
with imported_lightly():
    from hardtack.mcp import server, transports
"""


def _printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", LIGHTLY + code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_client_is_imported_for_a_server() -> None:
    assert (
        _printed("print('mcp.client' in sys.modules, 'httpx2' in sys.modules, 'mcp.server.mcpserver' in sys.modules)")
        == "False False False"
    )


def test_the_packages_are_read_when_a_name_of_theirs_is_asked_for() -> None:
    code = "import mcp\nfrom mcp import Client\nfrom mcp.server import MCPServer\n"
    code += "print(mcp.Client is Client, mcp.__name__, mcp.server.MCPServer is MCPServer)"
    assert _printed(code) == "True mcp True"


def test_a_name_that_is_not_there_is_missed_as_ever() -> None:
    assert (
        _printed("import mcp\ntry:\n    mcp.nothing\nexcept AttributeError as error:\n    print(error)")
        == "module 'mcp' has no attribute 'nothing'"
    )


def test_other_models_are_built_as_ever_and_garbage_is_collected() -> None:
    code = "from pydantic import BaseModel\nprint(BaseModel.model_config.get('defer_build'), gc.isenabled())"
    assert _printed(code) == "None True"


def test_without_the_sdk_it_is_said_how_to_get_it() -> None:
    code = "import sys\nsys.modules['mcp'] = None\nsys.argv = ['hardtack', 'serve']\nfrom hardtack.__main__ import main\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "pip install 'hardtack[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr
