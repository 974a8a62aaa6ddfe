-- The store, for SQLite and PostgreSQL alike. docs/store.md tells what the tables mean.
-- Times are ms since 1970 UTC, days are counted from 1970-01-01 UTC. Identifiers are given by the one writer, none is ever used again.

create table number (              -- what the store knows of itself: schema_version, counters of identifiers, horizons of retention
    name text collate "C" primary key, --postgres
    name text primary key,             --sqlite
    value bigint not null
)
without rowid --sqlite
;

create table checkpoint (          -- how far a source has been loaded, moved in the transaction that loads
    source text collate "C" primary key, --postgres
    source text primary key,             --sqlite
    position bigint not null       -- the next one that is wanted
)
without rowid --sqlite
;

create table namespace (           -- a metastore
    id integer primary key,
    name text collate "C" not null unique --postgres
    name text not null unique             --sqlite
);

create table account (             -- who runs queries
    id integer primary key,
    name text collate "C" not null unique --postgres
    name text not null unique             --sqlite
);

create table dataset (             -- a table, view or directory
    id integer primary key,
    namespace integer not null,
    name text collate "C" not null, --postgres
    name text not null,             --sqlite
    database text collate "C" not null, --postgres
    database text not null,             --sqlite
    kind text not null,            -- table, view, materialized_view, temporary, path
    known smallint not null,       -- 1: the catalog told its columns; 0: only statements name it
    comment text,
    location text,
    view_text text,
    owner text,
    -- What follows is worked out from the facts below, by the writer, and may be worked out anew at any time.
    status text not null,          -- online, offline (dropped, or gone from the metastore), unknown (only statements name it)
    first_seen bigint,             -- null: no query has touched it
    last_seen bigint,
    last_read bigint,
    last_write bigint,
    last_reset bigint,             -- end of the newest query that rewrote, emptied or dropped all of it
    reset_before bigint,           -- end of the one before that
    heat bigint not null,          -- tenths: 10 a read, 6 a write of the last 30 days
    heat_users integer not null,   -- distinct users of the last 30 days
    unique (namespace, name)
);
create index dataset_by_heat on dataset (heat, id);

create table col (                 -- a column; its name is '' for the rows of the dataset, '*' for a star over columns that are not known
    id bigint primary key,         -- dataset * 65536 + number: the columns of a dataset stand together
    dataset integer not null,
    name text collate "C" not null, --postgres
    name text not null,             --sqlite
    ordinal integer,               -- place in the table from 0; null: only statements name it
    type text,
    comment text,
    is_partition smallint not null,
    status text not null           -- online, offline (dropped), unknown (only statements name it)
);
create index col_by_name on col (name);

create table lineage (             -- a statement with what it reads and writes; runs that differ in literals only are one
    id integer primary key,
    key text collate "C" not null unique, --postgres
    key text not null unique,             --sqlite
    namespace integer not null,
    engine text not null,
    fingerprint text not null,     -- may be empty: no text is known
    operation text not null,       -- as in lineage documents; of a query whose text is not known, of its event
    failed smallint not null,      -- 1: of queries that did not succeed; it makes no edges
    uncertain text not null,       -- codes of the warnings of the document, separated by commas
    -- Sums of lineage_day and script:
    runs bigint not null,
    first_run bigint,
    last_run bigint,
    confirmed bigint not null,     -- runs of which the engine's own log says the same
    scripts integer not null,      -- places in scripts where it stands
    pruned smallint not null       -- 1: its column edges were too old to be kept, 2: its table edges too; they come back when it runs again
);

create table lineage_text (        -- the newest day's sample of it; store_document reads it
    lineage integer primary key,
    day integer not null,
    at bigint not null,
    query_id text not null,
    document bytea not null,       -- the statement of a lineage document, packed
    sql bytea not null             -- the text that its places are of, packed
);

create table lineage_dataset (     -- what a statement touches
    dataset integer not null,
    role smallint not null,        -- 1 reads, 2 reads through (a view), 3 writes, 4 drops, 5 defines (CREATE TABLE)
    lineage integer not null,
    mode text not null,            -- of 3 the write mode
    resets smallint not null,      -- 1: a success leaves nothing of what stood there before, and it does not read it itself
    primary key (dataset, role, lineage)
)
without rowid --sqlite
;
create index lineage_dataset_by_lineage on lineage_dataset (lineage, role, dataset);

create table table_edge (
    dst integer not null,
    src integer not null,
    lineage integer not null,
    kind smallint not null,        -- 1 values flow, 2 it decides about rows or values only, 3 the source is a view that was read through
    mode text not null,
    primary key (dst, src, lineage)
)
without rowid --sqlite
;
create index table_edge_by_src on table_edge (src, dst, lineage, kind);

create table column_edge (
    dst bigint not null,           -- a column; the dataset's rows ('') of a condition that decides about all of them
    src bigint not null,           -- a column, the rows of a dataset, an open star; 0: constants only
    lineage integer not null,
    kind smallint not null,        -- 1 identity, 2 transformation, 3 aggregation, 4 script, 5 constant, 6 identity by a star that was closed later;
                                   -- 11 join, 12 filter, 13 group_by, 14 sort, 15 window, 16 conditional, 17 distinct
    primary key (dst, src, lineage, kind)
)
without rowid --sqlite
;
create index column_edge_by_src on column_edge (src, dst, lineage, kind);

create table star_edge (           -- a star over columns that were not known: while they are not, column_edge holds it as an edge from the column '*'
    dst integer not null,
    src integer not null,
    lineage integer not null,
    ordinal integer not null,      -- the target's output column in which it begins
    primary key (dst, src, lineage)
)
without rowid --sqlite
;
create index star_edge_by_src on star_edge (src);

create table execution (           -- a query, in the newest revision of its event
    day integer not null,          -- of the end that its first event told: no revision moves it
    query_id text collate "C" not null, --postgres
    query_id text not null,             --sqlite
    revision bigint not null,      -- generation * 2^32 + revision of the event
    lineage integer not null,      -- 0: it touches nothing
    namespace integer not null,
    account integer not null,      -- 0: not known
    status text not null,          -- OK, ERROR, CANCELLED, RETRIED, INCOMPLETE, UNKNOWN
    engine text not null,
    operation text not null,
    database text not null,
    cluster text not null,
    started bigint not null,       -- 0: not known
    ended bigint not null,
    duration bigint not null,      -- ms; -1: not known
    confirmed smallint not null,
    text bigint not null,          -- key of sql_text; 0: no text is known
    partitions text,               -- JSON: [[table, spec], ..]
    error text,
    primary key (day, query_id)
);
create index execution_by_lineage on execution (lineage, day, ended);

create table sql_text (            -- texts of the queries of a day, each once
    day integer not null,
    text bigint not null,
    body text not null,
    primary key (day, text)
);

create table lineage_day (         -- runs that succeeded
    lineage integer not null,
    day integer not null,
    account integer not null,
    runs integer not null,
    confirmed integer not null,
    first_run bigint not null,
    last_run bigint not null,
    primary key (lineage, day, account)
)
without rowid --sqlite
;

create table dataset_day (         -- use: queries that succeeded, and those that were to write and did not
    dataset integer not null,
    day integer not null,
    account integer not null,
    reads integer not null,
    writes integer not null,
    failures integer not null,
    primary key (dataset, day, account)
)
without rowid --sqlite
;
create index dataset_day_by_day on dataset_day (day, dataset);

create table script (              -- statements that stand in a script, whether they ran or not
    script text collate "C" not null, --postgres
    script text not null,             --sqlite
    statement integer not null,
    lineage integer not null,
    line integer not null,
    primary key (script, statement)
)
without rowid --sqlite
;
create index script_by_lineage on script (lineage);

create table definition (          -- DDL that ran, or a catalog that was loaded: what a dataset was from a time on
    dataset integer not null,
    at bigint not null,            -- end of the query; time of the catalog
    source text collate "C" not null, --postgres
    source text not null,             --sqlite
    form text not null,            -- hive, impala: `statement` is SQL; json: a saved catalog of this one table
    database text not null,        -- in which the statement ran
    statement text not null,
    columns text not null,         -- as after all statements up to this one: [{"name", "type", "comment", "partition"}, ..]; [] dropped; '' not known
    digest text not null,          -- of the columns: where it differs from the one before, something changed
    primary key (dataset, at, source)
)
without rowid --sqlite
;
create index definition_by_source on definition (source);
