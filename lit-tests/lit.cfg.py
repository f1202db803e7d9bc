"""Configuration of lit: run as `lit lit-tests`, from an environment that need not be activated."""

import os
import sys
from typing import Any

import lit.formats

from tcgen05_dialect.assembler import find_tool

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
from tests.support.preloaded import preloaded

# lit defines it where it runs this file.
config: Any = globals()["config"]
config.name = "tcgen05"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ptx", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(config.test_source_root), "build", "lit")
config.environment["PATH"] = os.pathsep.join(
    (str(preloaded()), os.path.dirname(sys.executable), config.environment["PATH"])
)
config.environment["TCGEN05_CACHE"] = "off"
config.substitutions.extend((f"%{tool}", str(find_tool(tool))) for tool in ("ptxas", "nvdisasm"))
config.substitutions.append(("%examples", os.path.join(config.test_source_root, "..", "examples")))
