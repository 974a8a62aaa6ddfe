# SIGTERM in the midst of a backlog: each process ends soon, and what it left the next start does, once.
unset COLLINE_CONFIG COLLINE_DATA_DIR COLLINE_KAFKA_BROKERS
for what in serve normalize; do
    mkdir "$what"
    (cd "$what" && python3 "$SOURCE/tests/cli/stop.py" "$COLLINE" "$what")
done
