# Events, one JSON object a line, to a report for people: how the queries ended, what they were, the hottest tables and what feeds them.
# awk -v documents=FILE: what wrote goes there as lineage documents, one a line. For mawk: nothing that only GNU awk has.

function text(line, key,    at) { # of a member that is a text without quotes in it
    if (!match(line, "\"" key "\":\"[^\"]*\""))
        return ""
    at = RSTART + length(key) + 4
    return substr(line, at, RSTART + RLENGTH - at - 1)
}

function list(line, key, items,    at, inside) { # of a member that is a list of names
    if (!match(line, "\"" key "\":\\[[^]]*\\]"))
        return 0
    at = RSTART + length(key) + 4
    inside = substr(line, at, RSTART + RLENGTH - at - 1)
    gsub(/"/, "", inside)
    return inside == "" ? 0 : split(inside, items, ",")
}

function document(line,    from, to) {
    from = index(line, ",\"lineage\":{")
    if (from == 0)
        return ""
    line = substr(line, from + 11)
    to = index(line, ",\"engine_lineage\":{")
    if (to == 0)
        to = index(line, ",\"event_time\":")
    return substr(line, 1, to - 1)
}

{ # a later revision replaces the one before
    id = text($0, "query_id")
    if (!(id in event))
        order[++queries] = id
    event[id] = $0
}

function count(line,    status, operation, user, inputs, outputs, n, m, i, j) {
    status = text(line, "status")
    ends[status]++
    if (status != "OK")
        return
    operations[text(line, "operation_type")]++
    user = text(line, "user")
    n = list(line, "input_tables", inputs)
    m = list(line, "output_tables", outputs)
    for (i = 1; i <= n; i++) {
        reads[inputs[i]]++
        tables[inputs[i]] = 1
        if (!((inputs[i], user) in who)) {
            who[inputs[i], user] = 1
            users[inputs[i]]++
        }
    }
    for (i = 1; i <= m; i++) {
        writes[outputs[i]]++
        tables[outputs[i]] = 1
        for (j = 1; j <= n; j++)
            if (inputs[j] != outputs[i] && !((outputs[i], inputs[j]) in feeds)) {
                feeds[outputs[i], inputs[j]] = 1
                fed[outputs[i]] = fed[outputs[i]] (fed[outputs[i]] == "" ? "" : " ") inputs[j]
            }
    }
    if (m > 0)
        printf "{\"id\":\"%s\",\"dialect\":\"%s\",\"statements\":[%s]}\n", text(line, "query_id"), text(line, "engine"), document(line) > documents
}

END {
    for (i = 1; i <= queries; i++)
        count(event[order[i]])
    printf "%d queries: %d went well, %d failed, %d were cancelled, %d never ended\n", queries, ends["OK"], ends["ERROR"], ends["CANCELLED"], ends["INCOMPLETE"]
    sorted = "sort -k1,1nr -k2,2 | awk '{ printf \"%s%s %s\", NR == 1 ? \"\" : \", \", $1, $2 } END { print \"\" }'"
    for (name in operations)
        print operations[name], name | sorted
    close(sorted)
    printf "\n%6s %6s %7s %6s  %-26s %s\n", "heat", "reads", "writes", "users", "table", "fed by"
    sorted = "sort -t '\t' -k1,1nr -k2,2 | head -12 | awk -F '\t' '{ printf \"%6.1f %6d %7d %6d  %-26s %s\\n\", $1, $3, $4, $5, $2, $6 }' | sed 's/ *$//'"
    for (name in tables)
        printf "%.1f\t%s\t%d\t%d\t%d\t%s\n", reads[name] + 0.6 * writes[name], name, reads[name], writes[name], users[name], fed[name] | sorted
    close(sorted)
}
