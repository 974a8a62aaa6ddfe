"""Where Hive's parser says that a statement is wrong, and where colline says so, on one scale.

A place is (line from 1, column from 0). For most messages Hive means the token that it names. For "cannot recognize
input near 'a' 'b' 'c'" the place it gives may be that of any of the three tokens, so each of them is right. The end
of the text may be given just behind its last character or at the start of the line after it.
"""
import re

TOKEN = re.compile(r"""
    (?P<skip> \s+ | --[^\n]* )
  | '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `(?:``|[^`])*`
  | \w+ | <=> | <= | >= | <> | != | == | \|\| | .
""", re.X | re.S)
NEAR = re.compile(r"cannot recognize input near '(.*?)' '(.*?)' '(.*?)' in ", re.S)
END = '<EOF>'


def tokens_of(sql):
    """[(text, place)], with the end of the text as last tokens, as many as a message may name."""
    found, line, line_start = [], 1, 0
    for match in TOKEN.finditer(sql):
        if match.group('skip') is None:
            found.append((match.group(), (line, match.start() - line_start)))
        breaks = match.group().count('\n')
        if breaks:
            line, line_start = line + breaks, match.start() + match.group().rindex('\n') + 1
    return found + [(END, (line, len(sql) - line_start))] * 3


def places_meant(record):
    """Every place that a record's message may mean, as a set."""
    tokens, given = tokens_of(record['sql']), (record['line'], record['column'])
    near, end = NEAR.match(record['message']), tokens[-1][1]
    meant = {given}
    for i in range(len(tokens) - 2 if near else 0):
        three = tokens[i:i + 3]
        places = {place for _, place in three}
        if tuple(text for text, _ in three) == near.groups() and given in places:
            meant |= places
    if given >= end:
        meant |= {end, (end[0] + 1, 0)}
    return meant


def place_of(document):
    """The place of the first error in a lineage document, whose columns count from 1; None without one."""
    error = next((s['error'] for s in document.get('statements') or () if s.get('error')), document.get('error'))
    if not isinstance(error, dict) or not error.get('line') or not error.get('column'):
        return None
    return error['line'], error['column'] - 1
