# fingerprint: one hash for what differs in case, blanks, comments, hints, literals and lengths of IN lists only.
. "$SOURCE/tests/cli/expect.bash"

cat >a.hql <<'END'
select a from t where b in (1, 2, 3) and c = 'x';
SELECT  a
  FROM t -- comment
 WHERE b IN (7) AND c = "other" ;
select b from t where b in (1, 2, 3) and c = 'x';
set x = 1
END
"$COLLINE" fingerprint a.hql >out
[ "$(wc -l <out)" -eq 4 ]
sed 's/^[0-9a-f]\{32\}//' out >rest
diff rest - <<'END'
  a.hql:1  SELECT
  a.hql:2  SELECT
  a.hql:5  SELECT
  a.hql:6  SET
END
[ "$(cut -c1-32 out | sort -u | wc -l)" -eq 3 ]
[ "$(sed -n 1p out | cut -c1-32)" = "$(sed -n 2p out | cut -c1-32)" ]
"$COLLINE" fingerprint --count a.hql | sed 's/^[0-9a-f]\{32\}//' | sed -n 1p >first
diff first - <<'END'
       2  a.hql:1  SELECT
END
# The key tells apart what has another lineage.
printf 'select a, b from t order by 1;\nselect a, b from t order by 2;\nselect a, b from t order by 1 limit 5' >b.hql
[ "$("$COLLINE" fingerprint b.hql | cut -c1-32 | sort -u | wc -l)" -eq 2 ]
[ "$("$COLLINE" fingerprint --key b.hql | cut -c1-32 | sort -u | wc -l)" -eq 3 ]
# The document has the same.
"$COLLINE" lineage --format json a.hql | grep '"fingerprint"' | cut -d'"' -f4 | diff - <(cut -c1-32 out)
quiet 1 "$COLLINE" fingerprint missing.hql
expect_error <<'END'
colline: missing.hql: No such file or directory
END
