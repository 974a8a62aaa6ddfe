# The interface over a socket: what a browser, a program and somebody hostile meet.
. "$SOURCE/tests/cli/expect.bash"
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS

printf 'create table ods.o (id int, amount double comment %s);\ninsert into dwd.o select id, amount * 2 from ods.o;\n' "'金额'" >all.hql
"$COLLINE" lineage --format jsonl all.hql >documents.jsonl
"$COLLINE" load --store s.db --documents documents.jsonl 2>said
"$COLLINE" load --store s.db --catalog all.hql 2>said
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$COLLINE" serve --store s.db --port "$port" 2>log &
server=$!
trap 'kill $server 2>said || true' EXIT
python3 "$SOURCE/tests/cli/api.py" "$port" "$("$COLLINE" token create --store s.db --name checks --scopes write)" || { cat log; exit 1; }
kill -TERM $server
wait $server || { echo "FAILED: serve ended with status $?"; cat log; exit 1; }
trap - EXIT
