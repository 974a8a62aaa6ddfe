"""The gold corpora, for the programs that measure: where they are, and their records as batch input of colline."""
import json
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find_corpora():
    """The folder of the corpora: as the environment says, else beside the checkout, else beside the main checkout."""
    if os.environ.get('COLLINE_CORPUS'):
        return pathlib.Path(os.environ['COLLINE_CORPUS'])
    beside = ROOT.parent / 'shared/corpus'
    marker = ROOT / '.git'                                 # a file in a worktree: `gitdir: MAIN/.git/worktrees/NAME`
    if not beside.is_dir() and marker.is_file():
        git_folder = pathlib.Path(marker.read_text(encoding='utf-8').partition(':')[2].strip())
        main_beside = git_folder.parents[2].parent / 'shared/corpus'
        return main_beside if main_beside.is_dir() else beside
    return beside


def read_jsonl(path):
    with open(path, encoding='utf-8') as f:
        return [json.loads(line) for line in f if line.strip()]


def write_jsonl(path, records):
    with open(path, 'w', encoding='utf-8') as f:
        for record in records:
            f.write(json.dumps(record, ensure_ascii=False) + '\n')


def hive_catalogs(corpus):
    """colline's -c arguments for the Hive corpus, and the names that a record may ask for by its `datasets`."""
    folder = corpus / 'hive'
    named = {'sysdb': folder / 'base_sysdb.sql', 'tpcds': folder / 'base_tpcds.sql'}
    return [str(folder / 'base.sql')] + ['%s=%s' % item for item in named.items()], named


def batch_record(record, dialect, database=None, named=()):
    """One line of batch input. A record's own options (Impala's query options) go along."""
    line = {'id': record['id'], 'sql': record['sql'], 'dialect': record.get('dialect', dialect)}
    if record.get('database') or database:
        line['database'] = record.get('database') or database
    catalogs = [name for name in record.get('datasets', ()) if name in named]
    if catalogs:
        line['catalogs'] = catalogs
    if record.get('options'):
        line['options'] = record['options']
    return line
