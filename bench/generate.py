"""SQL of any size, made by rule: one shape for each way in which real scripts grow.

`generate.py SHAPE SIZE` prints a script; `SHAPES` tells each shape's largest size and what is counted. All shapes
are Hive SQL with made-up names, and a script creates the tables whose columns a star needs.
"""
import sys


def statement_length(n):
    """One INSERT whose select list has n items."""
    items = ',\n  '.join('a%d + coalesce(b%d, %d) as c%d' % (i % 50, i % 70, i, i) for i in range(n))
    return 'insert into table dws.long_row\nselect\n  %s\nfrom ods.event;\n' % items


def star_columns(n):
    """A table of n columns that passes through three star CTEs into another table."""
    columns = ', '.join('c%d int' % i for i in range(n))
    return ('create table ods.wide (%s);\ncreate table dws.wide like ods.wide;\n'
            'with a as (select * from ods.wide),\n b as (select * from a),\n c as (select x.* from b x)\n'
            'insert overwrite table dws.wide select * from c;\n' % columns)


def union_branches(n):
    """n SELECTs joined by UNION ALL."""
    branches = '\nunion all\n'.join('select uid, amount + %d as amount from ods.part_%d' % (i, i % 100) for i in range(n))
    return 'insert overwrite table dws.all_parts\n%s;\n' % branches


def terms(operator, n):
    return (' %s ' % operator).join('c%d = %d' % (i % 1000, i) for i in range(n))


def and_terms(n):
    """A WHERE of n comparisons joined by AND."""
    return 'insert into table dws.hit select uid from ods.event where %s;\n' % terms('and', n)


def or_terms(n):
    """A WHERE of n comparisons joined by OR."""
    return 'insert into table dws.hit select uid from ods.event where %s;\n' % terms('or', n)


def concat_terms(n):
    """One expression of n operands of ||."""
    return 'insert into table dws.hit select %s as line from ods.event;\n' % ' || '.join('c%d' % (i % 1000) for i in range(n))


def in_items(n):
    """An IN list of n numbers."""
    return 'insert into table dws.hit select uid from ods.event where uid in (%s);\n' % ', '.join(str(7 * i) for i in range(n))


def parentheses(n):
    """A column within n parentheses."""
    return 'insert into table dws.hit select %suid%s as u from ods.event;\n' % ('(' * n, ')' * n)


def calls(n):
    """A column within n function calls."""
    return 'insert into table dws.hit select %suid%s as u from ods.event;\n' % ('upper(' * n, ')' * n)


def cases(n):
    """n CASEs within one another."""
    begin = ''.join('case when c%d > %d then %d else ' % (i % 100, i, i) for i in range(n))
    return 'insert into table dws.hit select %suid%s as u from ods.event;\n' % (begin, ' end' * n)


def nested_queries(n):
    """n derived tables within one another."""
    begin = ''.join('select uid, amount from (\n' for _ in range(n))
    end = ''.join('\n) q%d' % i for i in range(n))
    return 'insert into table dws.hit %sselect uid, amount from ods.event%s;\n' % (begin, end)


def joins(n):
    """n joined tables, a column from each."""
    items = ', '.join('t%d.v%d' % (i, i) for i in range(n))
    tables = '\n'.join('join ods.side_%d t%d on t%d.k = t%d.k' % (i, i, i - 1, i) for i in range(1, n))
    return 'insert into table dws.joined\nselect %s\nfrom ods.side_0 t0\n%s;\n' % (items, tables)


def cte_depth(n):
    """n CTEs, each over the one before."""
    parts = ['q0 as (select uid, amount from ods.event)']
    parts += ['q%d as (select uid, amount from q%d where amount > %d)' % (i, i - 1, i) for i in range(1, n)]
    return 'with %s\ninsert overwrite table dws.deep select uid, amount from q%d;\n' % (',\n'.join(parts), n - 1)


def script_length(n):
    """n statements in one script."""
    return ''.join('insert overwrite table dws.day_%d\nselect s.uid, sum(s.amount) as amount, \'%d\' as tag\n'
                   'from ods.sale_%d s join dim.user u on s.uid = u.uid\nwhere s.kind = %d group by s.uid;\n'
                   % (i % 50, i, i % 40, i) for i in range(n))


# shape → (function, largest size, what is counted)
SHAPES = {f.__name__: (f, largest, unit) for f, largest, unit in (
    (statement_length, 20000, 'select items'),
    (star_columns, 5000, 'columns through star CTEs'),
    (union_branches, 5000, 'UNION ALL branches'),
    (and_terms, 50000, 'AND terms'),
    (or_terms, 50000, 'OR terms'),
    (concat_terms, 50000, '|| terms'),
    (in_items, 500000, 'IN items'),
    (parentheses, 1000, 'parentheses within one another'),
    (calls, 1000, 'calls within one another'),
    (cases, 1000, 'CASEs within one another'),
    (nested_queries, 100, 'queries within one another'),
    (joins, 1000, 'joined tables'),
    (cte_depth, 1000, 'CTEs in a chain'),
    (script_length, 50000, 'statements'),
)}


# What everyday statements are mixed from: shapes in small sizes.
EVERYDAY = (('statement_length', 4), ('union_branches', 2), ('and_terms', 4), ('concat_terms', 3), ('in_items', 6),
            ('calls', 2), ('cases', 2), ('nested_queries', 2), ('joins', 2), ('cte_depth', 2), ('script_length', 1))


def sample(count):
    """`count` single statements of everyday size, for where no corpus is at hand."""
    made = [SHAPES[shape][0](size + more) for more in range(3) for shape, size in EVERYDAY]
    single = [text.partition(';')[0] for text in made]
    return [single[i % len(single)] for i in range(count)]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES or not sys.argv[2].isdigit():
        print('usage: generate.py SHAPE SIZE; shapes: %s' % ', '.join(SHAPES), file=sys.stderr)
        return 2
    sys.stdout.write(SHAPES[sys.argv[1]][0](int(sys.argv[2])))
    return 0


if __name__ == '__main__':
    sys.exit(main())
