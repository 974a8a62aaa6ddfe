# Every document of the sample warehouse, and documents with everything that is rare, are what the schema says.
cat >check.py <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
count = wrong = 0
for line in sys.stdin:
    document = json.loads(line)
    count += 1
    for error in validator.iter_errors(document):
        wrong += 1
        print(document['id'], list(error.absolute_path), error.message[:200])
print(count, 'documents,', wrong, 'mistakes')
sys.exit(wrong > 0 or count == 0)
END
cat >rare.hql <<'END'
source nothing.hql;
select from;
insert overwrite directory '/out' select a.b.c, count(*), *, x[1].y from s.t;
from s.t insert into a select b, case when c > 1 then d end insert overwrite table e partition (p = '1', q) select f, g;
create view v as select distinct h from s.t order by h;
insert into w select rank() over (partition by i order by j) from v;
load data inpath '/in' into table a;
alter table a rename to aa;
drop table aa;
truncate table e;
END
check() {
    python3 check.py "$SOURCE/docs/lineage-document.schema.json"
}
for reading in value engine; do
    "$COLLINE" catalog build -o cat.json "$SOURCE/samples/warehouse/ddl"
    "$COLLINE" lineage --reading $reading -c cat.json --format jsonl "$SOURCE/samples/warehouse" 2>/dev/null >documents || true
    check <documents
    for dialect in hive impala; do
        "$COLLINE" lineage --reading $reading -d $dialect --format jsonl rare.hql 2>/dev/null >documents || true
        check <documents
    done
done
printf '{"sql": 1}\n[]\n{"id": 3}\n' | "$COLLINE" lineage --batch 2>/dev/null >documents || true
check <documents

# The schema's lists of words are the program's: those of the documentation are the same.
python3 - <<'END'
import json, os, re
source = os.environ['SOURCE']
schema = json.load(open(source + '/docs/lineage-document.schema.json'))['$defs']
text = open(source + '/docs/lineage-document.md').read()
code = open(source + '/lib/lineage/document.c').read()
for name, where in (('operation', schema['statement']), ('write_mode', schema['output']), ('transform', schema['column']),
                    ('clause', schema['predicate'])):
    for word in where['properties'][name]['enum']:
        assert '`%s`' % word in text, word
        assert '"%s"' % word in code, word
listed = {w for d in schema.values() for p in d.get('properties', {}).values() for w in p.get('enum', ())}
for word in re.findall(r'STR\("([a-z_]+)"\)', code):
    assert word in listed, word
END
