twice=a; twice=b
hive -e "select x from $twice"
early
hive -e "select x from $later"
later=c
added=d; added+=e
hive -e "select x from $added"
f() { local inner=e; hive -e "select x from $inner"; }
(sub=f)
[ -f x ] && maybe=g
echo h | read piped
hive -e "select x from ${sub} join $maybe join $piped"
fine=i
hive -e "select x from $fine"
. ./config
hive -e "select x from $fine"
