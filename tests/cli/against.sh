# lineage --against: what the working tree does to the lineage of a revision.
. "$SOURCE/tests/cli/expect.bash"

git init -q repo
cd repo
commit() {
    git add -A
    git -c user.email=nobody@example.org -c user.name=nobody -c commit.gpgsign=false commit -q -m "$1"
}
mkdir -p etl/impala
echo 'create table ods.pay (uid int, amt int, fee int); create table dws.daily (uid int, total int, n int);' >tables.hql
echo 'insert overwrite dws.daily select uid, sum(amt) as total, count(*) as n from ods.pay where amt > 0 group by uid' >etl/daily.hql
echo 'insert into ads.top select uid, total from dws.daily' >etl/impala/top.sql
commit one

expect 0 "$COLLINE" lineage --against HEAD -c tables.hql etl <<'END'
The lineage is the same.
END

# Another layout and other comments change nothing; an expression does, and harms nobody.
printf -- '-- daily\ninsert overwrite dws.daily\nselect uid, sum(amt + fee) as total, count(*) as n\nfrom ods.pay where amt > 0 group by uid' >etl/daily.hql
expect 0 "$COLLINE" lineage --against HEAD -c tables.hql etl <<'END'
dws.daily.total
  ~ ods.pay.amt  aggregation: sum(amt) -> sum(amt + fee)
  + ods.pay.fee  aggregation: sum(amt + fee)

1 edge added, 0 removed, 1 changed
END

# A source is lost of a column that others read.
sed -i 's/amt + fee/fee/; s/amt > 0/fee > 0/' etl/daily.hql
expect 1 "$COLLINE" lineage --against HEAD -c tables.hql etl <<'END'
dws.daily
  - ods.pay.amt  filter: amt > 0
  + ods.pay.fee  filter: fee > 0

dws.daily.total
  - ods.pay.amt  aggregation: sum(amt)
    ! lost a source, and is read by etl/impala/top.sql
  + ods.pay.fee  aggregation: sum(fee)

2 edges added, 2 removed, 0 changed
END
commit two

# Files that are new or gone, revisions further back, a folder inside the work tree.
git mv etl/daily.hql etl/every_day.hql
expect 0 "$COLLINE" lineage --against HEAD -c tables.hql etl <<'END'
The lineage is the same.
END
rm etl/every_day.hql
cd etl
"$COLLINE" lineage --against HEAD~1 -c ../tables.hql . >out && exit 1
grep -q '^  - ods.pay.amt  aggregation: sum(amt)$' out
grep -q '^    ! lost a source, and is read by impala/top.sql$' out
cd ..
git checkout -q -f .
git reset -q --hard

# The catalog of that time is used for what was then.
echo 'insert into dws.all_pay select * from ods.pay' >etl/star.hql
commit three
echo 'create table ods.pay (uid int, amt int, fee int, note string);' >tables.hql
"$COLLINE" lineage --against HEAD -c tables.hql etl >out
grep -q '^  + ods.pay.note  identity' out

quiet 2 "$COLLINE" lineage --against nowhere etl
expect_error <<'END'
colline: nowhere: git knows no such revision
END
cd ..
mkdir plain
quiet 2 "$COLLINE" lineage --against HEAD plain
expect_error <<'END'
colline: plain: not in a git work tree
END
[ -z "$(ls -d "${TMPDIR:-/tmp}"/colline-?????? 2>/dev/null)" ]
