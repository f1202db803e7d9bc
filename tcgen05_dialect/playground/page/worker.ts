// Python and the project in a worker. Requests and answers are those of `playground/__init__.py`.

import type { loadPyodide as Load } from "pyodide";

const folder = new URL("pyodide/", self.location.href).href;

const START = `
import json, os, sys
sys.path.insert(0, "/project")
from importlib.util import find_spec
from tcgen05_dialect.playground import Request, RequestError, answer
from tcgen05_dialect.tools.main import main

def ask(text):
    import shutil, tempfile
    folder = tempfile.mkdtemp()
    try:
        return json.dumps({"answer": answer(Request.of(json.loads(text)), main, folder).json()})
    except RequestError as error:
        return json.dumps({"error": str(error)})
    except MemoryError:
        return json.dumps({"error": "The request needs more memory than the page has."})
    finally:
        os.chdir("/")
        shutil.rmtree(folder)

find_spec("numpy") is not None
`;

async function start(): Promise<(request: string) => string> {
  // The address is only known here, so that the bundler must not follow it.
  const address = `${folder}pyodide.mjs`;
  const { loadPyodide }: { loadPyodide: typeof Load } = await import(address);
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: folder }),
    fetch(new URL("project.zip", self.location.href)).then((response) => response.arrayBuffer()),
  ]);
  // The site has no numpy, but somebody's own Pyodide may.
  const { packages } = await (await fetch(`${folder}pyodide-lock.json`)).json();
  if ("numpy" in packages) await python.loadPackage("numpy");
  python.unpackArchive(archive, "zip", { extractDir: "/project" });
  const runs: boolean = python.runPython(START);
  postMessage({ ready: true, runs });
  return python.globals.get("ask");
}

const started = start();
started.catch((error) => postMessage({ problem: `Python cannot be started: ${error.message}` }));

self.onmessage = async ({ data }) => {
  const ask = await started;
  try {
    postMessage(JSON.parse(ask(JSON.stringify(data))));
  } catch (error) {
    postMessage({ error: String(error instanceof Error ? error.message : error) });
  }
};
