"""The child process of the language server; it ends when its standard input ends, that is, with
the server."""

import os
import pickle
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from ..reporting.project import internal_error
from . import tasks
from .process import LENGTH, Refused


def _serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions, in order, until there are no more."""
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(questions, waiting), daemon=True).start()
    while True:
        task, arguments = pickle.loads(waiting.get())
        try:
            answer = True, getattr(tasks, task)(*arguments)
        except Refused as refused:
            answer = False, str(refused)
        except Exception as error:
            answer = False, internal_error(error)
        data = pickle.dumps(answer)
        answers.write(len(data).to_bytes(LENGTH) + data)
        answers.flush()


def _receive(questions: BinaryIO, waiting: SimpleQueue[bytes]) -> None:
    """Receive questions until the server ends."""
    while len(head := questions.read(LENGTH)) == LENGTH:
        waiting.put(questions.read(int.from_bytes(head)))
    os._exit(0)


def main() -> None:
    """Answer questions on the standard streams; what anything else prints goes nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nowhere:
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
    _serve(questions, answers)


if __name__ == "__main__":
    main()
