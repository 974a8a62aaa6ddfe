hive <<EOF
set hivevar:k=1;
insert into a select x from s where d = '$day' and k = \${hivevar:k};
EOF
beeline -u jdbc:hive2://h/db2 <<-'EOF'
	insert into b select x from s where d = '$day';
	EOF
cat <<EOF | impala-shell -d db3
insert into c select x from s;
EOF
cat > /tmp/job.hql <<EOF
insert into d select x from s;
EOF
hive -f /tmp/job.hql
tee unread.impala.sql <<EOF
upsert into e select x from s;
EOF
cat > notes.txt <<EOF
select x from nothing;
EOF
read -r -d '' sql <<'EOF'
insert into f select x from s where c = '$x';
EOF
hive -e "$sql"
impala-shell -q "$(cat <<EOF
insert into g select ')' from s;
EOF
)"
hive <<< "insert into h select x from s"
echo "insert into i select x from s" | hive
hive < sql/late.hql
