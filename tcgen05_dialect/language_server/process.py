"""
Child processes that check texts, so that no text can block or end the server.

Questions and answers are pickles, each after its length.
"""

import asyncio
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from typing import Any

_CHILD = f"from {__package__}.tasks import serve; serve()"
LENGTH = 4
"""Bytes of the length before a pickle."""


class Refused(Exception):
    """The error of a question without an answer; the message is a sentence for the user."""


class Child:
    """A process that answers questions one after another; the first question starts it."""

    def __init__(self, name: str):
        self._name = name
        self._process: Process | None = None
        self._lock = asyncio.Lock()

    async def ask(self, limit: float, task: str, *arguments: object) -> Any:
        """
        The answer of the function `task` in `tasks.py`.

        After `limit` seconds, or if the question is cancelled, the child is killed; the next
        question starts a new one. Raises Refused.
        """
        async with self._lock:
            try:
                async with asyncio.timeout(limit):
                    return await self._answer(pickle.dumps((task, arguments)))
            except TimeoutError:
                self._kill()
                raise Refused(f"{self._name} took more than {limit:g} seconds") from None
            except (OSError, asyncio.IncompleteReadError):
                self._kill()
                message = f"the process of {self._name} ended, perhaps out of memory"
                raise Refused(message) from None
            except asyncio.CancelledError:
                self._kill()
                raise

    async def _answer(self, question: bytes) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _CHILD, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        asked.write(len(question).to_bytes(LENGTH) + question)
        await asked.drain()
        length = int.from_bytes(await answers.readexactly(LENGTH))
        is_answer, answer = pickle.loads(await answers.readexactly(length))
        if not is_answer:
            raise Refused(answer)
        return answer

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process = None
