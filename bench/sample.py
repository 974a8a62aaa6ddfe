"""The statements that every tool is timed on, and the file in which they get them.

With the corpora: 2,000 of the statements that Hive accepts, drawn by `random.Random(1).sample` from those without variables.
Without: statements of the sample warehouse's scripts and generated ones, as many.
"""
import random
import re

import generate
from corpora import ROOT, read_jsonl

COUNT = 2000
QUERY = re.compile(r'\bselect\b', re.I)


def from_corpus(corpus):
    records = read_jsonl(corpus / 'hive/parse_ok.jsonl')
    return [r['sql'] for r in random.Random(1).sample([r for r in records if not r.get('vars')], COUNT)]


def from_warehouse():
    """The warehouse's statements, split where a line ends with `;`, mixed half and half with generated ones."""
    scripts = sorted((ROOT / 'samples/warehouse').rglob('*.hql'))
    texts = [piece.strip() for path in scripts for piece in re.split(r';[ \t]*\n', path.read_text(encoding='utf-8') + '\n')]
    texts = [t for t in texts if t] or generate.sample(100)
    half = COUNT // 2
    return [texts[i % len(texts)] for i in range(half)] + generate.sample(COUNT - half)


def statements(corpus):
    """(texts, where they are from)."""
    if (corpus / 'hive/parse_ok.jsonl').exists():
        return from_corpus(corpus), 'the Hive corpus'
    return from_warehouse(), 'samples/warehouse and generated SQL (the corpora are not here)'


def has_query(text):
    return QUERY.search(text) is not None


def write(path, texts):
    with open(path, 'wb') as f:
        for text in texts:
            data = text.encode('utf-8')
            f.write(b'%d\n%s\n' % (len(data), data))
