"""
`tcgen05 completion`: a script that completes commands, options and their values in a shell.

The script contains a table made from the argument parsers, so that a shell completes words without
starting Python.
"""

import argparse
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import NamedTuple, cast

from .command import ArgumentParser

_FILES: tuple[str, ...] = ()
"""No words, for an argument that is a file or of unknown kind; the shell then offers files."""


class _Entry(NamedTuple):
    """The words that may follow a command: sub-commands or values, options, option values."""

    command: str
    words: tuple[str, ...]
    options: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]


def completion(shell: str, parser: ArgumentParser, programs: Collection[str]) -> str:
    """
    The script for a shell of SHELLS.

    `parser` is that of `tcgen05`; `programs` are the commands that have their own parser.
    """
    entries = list(_all_entries(parser, programs))
    return SHELLS[shell](entries)


def _all_entries(parser: ArgumentParser, programs: Collection[str]) -> Iterator[_Entry]:
    modules = {f"tcgen05 {name}": name for name in programs} | {"tcgen05-opt": "opt"}
    yield from (entry for entry in _entries("tcgen05", parser) if entry.command not in modules)
    for program, name in modules.items():
        yield from _entries(program, import_module(f".{name}", __package__).parser(program))


def _entries(command: str, parser: ArgumentParser) -> Iterator[_Entry]:
    """The entries of a command and of its sub-commands."""
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    options: list[str] = []
    for action in parser.actions():
        if isinstance(action.choices, Mapping):
            sub_commands = cast("Mapping[str, ArgumentParser]", action.choices)
            words += sub_commands
            for name, inner in sub_commands.items():
                yield from _entries(f"{command} {name}", inner)
        elif not action.option_strings:
            words += _values(action)
        else:
            options += action.option_strings
            if action.nargs != 0:
                values |= dict.fromkeys(action.option_strings, _values(action))
    yield _Entry(command, tuple(words), tuple(options), values)


def _values(action: argparse.Action) -> tuple[str, ...]:
    """The possible values of an argument."""
    choices = action.choices or getattr(action.type, "names", None)
    if choices is not None:
        return tuple(map(str, cast("Iterable[object]", choices)))
    if action.dest == "passes":
        from ..universe import TCGEN05_UNIVERSE

        return tuple(TCGEN05_UNIVERSE.all_passes)
    match action.metavar:
        case "RULE":
            from ..reporting.project import rules

            return tuple(rules())
        case "T" if action.dest == "target":
            from ..isa.targets import TARGETS

            return tuple(TARGETS)
        case "V":
            from ..isa.targets import VERSIONS

            return tuple(map(str, VERSIONS))
        case _:
            return _FILES


_BASH = """\
# Completion of tcgen05 for bash: eval "$(tcgen05 completion bash)"
_tcgen05() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[0]##*/}} index list options
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$command ${{COMP_WORDS[index]}}" in
            {commands}) command+=" ${{COMP_WORDS[index]}}" ;;
        esac
    done
{table}
    COMPREPLY=($(compgen -W "$list" -- "$word"))
}}
complete -o bashdefault -o default -F _tcgen05 tcgen05 tcgen05-opt
"""

_ZSH = """\
#compdef tcgen05 tcgen05-opt
# Completion of tcgen05 for zsh: autoload -U compinit; compinit; eval "$(tcgen05 completion zsh)"
_tcgen05() {{
    local word=${{words[CURRENT]}} before=${{words[CURRENT-1]}} command=${{words[1]:t}}
    local index list options
    if [[ $word == --*=* ]]; then
        before=${{word%%=*}}
        word=${{word#*=}}
        compset -P '*='
    fi
    for ((index = 2; index < CURRENT; index++)); do
        case "$command ${{words[index]}}" in
            {commands}) command+=" ${{words[index]}}" ;;
        esac
    done
{table}
    if [[ -n $list ]]; then
        compadd -- ${{=list}}
    else
        _files
    fi
}}
if (( $+functions[compdef] )); then
    compdef _tcgen05 tcgen05 tcgen05-opt
else
    print -ru2 'tcgen05: zsh completes after compinit only: run it before this script'
fi
"""

_FISH = """\
# Completion of tcgen05 for fish: tcgen05 completion fish | source
function __tcgen05
    set -l tokens (commandline -opc)
    set -l word (commandline -ct)
    set -l before $tokens[-1]
    set -l command (string replace -r '.*/' '' -- $tokens[1])
    set -l list
    set -l options
    set -l start ''
    if string match -q -- '--*=*' $word
        set before (string replace -r '=.*' '' -- $word)
        set start $before=
        set word (string replace -r '^[^=]*=' '' -- $word)
    end
    for token in $tokens[2..-1]
        switch "$command $token"
            case {commands}
                set command "$command $token"
        end
    end
{table}
    if test -n "$list"
        printf '%s\\n' $start$list
    else
        __fish_complete_path $word | string replace -r '^' -- "$start"
    end
end
complete -c tcgen05 -f -a '(__tcgen05)'
complete -c tcgen05-opt -f -a '(__tcgen05)'
"""


def _of_cases(template: str, entries: list[_Entry]) -> str:
    return template.format(commands="|".join(_commands(entries)), table=_cases(entries))


def _fish(entries: list[_Entry]) -> str:
    lines = ['    switch "$command $before"']
    for pattern, words in _values_of_options(entries):
        lines += [f"        case {' '.join(pattern)}", f"            set list {words}"]
    lines += ["        case '*'", "            switch $command"]
    for entry in entries:
        lines += [
            f"                case '{entry.command}'",
            f"                    set list {' '.join(entry.words)}",
            f"                    set options {' '.join(entry.options)}",
        ]
    lines += [
        "            end",
        "            if string match -q -- '-*' $word",
        "                set list $options",
        "            end",
        "    end",
    ]
    return _FISH.format(commands=" ".join(_commands(entries)), table="\n".join(lines))


SHELLS: Mapping[str, Callable[[list[_Entry]], str]] = {
    "bash": partial(_of_cases, _BASH),
    "zsh": partial(_of_cases, _ZSH),
    "fish": _fish,
}
"""Shell -> the function that writes its script."""


def _cases(entries: list[_Entry]) -> str:
    """The table for bash and zsh; it sets `list` to the words for the current argument."""
    lines = ['    case "$command $before" in']
    for pattern, words in _values_of_options(entries):
        lines.append(f"        {'|'.join(pattern)}) list='{words}' ;;")
    lines += ["        *)", '            case "$command" in']
    for entry in entries:
        words, options = " ".join(entry.words), " ".join(entry.options)
        lines.append(f"                '{entry.command}') list='{words}' options='{options}' ;;")
    lines += [
        "            esac",
        '            case "$word" in -*) list=$options ;; esac ;;',
        "    esac",
    ]
    return "\n".join(lines)


def _commands(entries: list[_Entry]) -> list[str]:
    """All sub-commands with their command, quoted."""
    return [f"'{entry.command}'" for entry in entries if " " in entry.command]


def _values_of_options(entries: list[_Entry]) -> Iterator[tuple[list[str], str]]:
    """Options with their command, quoted, and the values that they may have."""
    for entry in entries:
        by_values: dict[str, list[str]] = {}
        for option, values in entry.values.items():
            pattern = f"'{entry.command} {option}'"
            by_values.setdefault(" ".join(values), []).append(pattern)
        yield from ((patterns, words) for words, patterns in by_values.items())
