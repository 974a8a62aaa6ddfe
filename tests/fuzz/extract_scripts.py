#!/usr/bin/env python3
"""extract_scripts.py FOLDER OUT: writes the SQL of every lineage case (.lt) below FOLDER into a file of its own in OUT, as seeds."""
import pathlib
import sys

folder, out = map(pathlib.Path, sys.argv[1:])
for lt in sorted(folder.rglob('*.lt')):
    for number, case in enumerate(lt.read_text(encoding='utf-8').split('\n=== ')):
        parts = ('\n' + case).split('\n---\n')
        if len(parts) == 3:
            (out / ('%s_%s_%d.sql' % (lt.parent.name, lt.stem, number))).write_text(parts[1], encoding='utf-8')
