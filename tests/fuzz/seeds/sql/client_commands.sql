!ls -l;
add jar /x.jar;
source other.hql;
dfs -rm -r /x;
set;
set x=1;
reset;
select a from s.t