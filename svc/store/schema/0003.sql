-- Of a file: queries are found by a hash of their id, texts by their place, for what is found by an id or a text is written at random places of an
-- index, page by page. Of a server nothing changes but the version.

drop index execution_by_lineage; --sqlite
drop index execution_by_end; --sqlite
alter table execution rename to execution_before; --sqlite
create table text_before (day integer not null, was integer not null, text integer not null, primary key (day, was)) without rowid; --sqlite
insert into text_before select day, text, day * 4294967296 + row_number() over (partition by day order by rowid) from sql_text; --sqlite
alter table sql_text rename to sql_text_before; --sqlite

create table sql_text (            --sqlite
    text integer primary key,      -- day * 2^32 + number --sqlite
    day integer not null,          --sqlite
    body text not null             --sqlite
); --sqlite
insert into sql_text select t.text, t.day, b.body from text_before t join sql_text_before b on b.day = t.day and b.text = t.was; --sqlite
drop table sql_text_before; --sqlite

create table execution (           --sqlite
    day integer not null,          -- of the end that its first event told: no revision moves it --sqlite
    query integer not null,        -- hash47 of query_id --sqlite
    query_id text not null,        --sqlite
    revision bigint not null,      -- generation * 2^32 + revision of the event --sqlite
    lineage integer not null,      -- 0: it touches nothing --sqlite
    namespace integer not null,    --sqlite
    account integer not null,      -- 0: not known --sqlite
    status text not null,          -- OK, ERROR, CANCELLED, RETRIED, INCOMPLETE, UNKNOWN --sqlite
    engine text not null,          --sqlite
    operation text not null,       --sqlite
    database text not null,        --sqlite
    cluster text not null,         --sqlite
    started bigint not null,       -- 0: not known --sqlite
    ended bigint not null,         --sqlite
    duration bigint not null,      -- ms; -1: not known --sqlite
    confirmed smallint not null,   --sqlite
    text bigint not null,          -- key of sql_text; 0: no text is known --sqlite
    partitions text,               -- JSON: [[table, spec], ..] --sqlite
    error text                     --sqlite
); --sqlite
insert into execution select x.day, hash47(x.query_id), x.query_id, x.revision, x.lineage, x.namespace, x.account, x.status, x.engine, x.operation, --sqlite
    x.database, x.cluster, x.started, x.ended, x.duration, x.confirmed, coalesce(t.text, 0), x.partitions, x.error --sqlite
    from execution_before x left join text_before t on t.day = x.day and t.was = x.text order by x.rowid; --sqlite
drop table execution_before; --sqlite
drop table text_before; --sqlite
create index execution_by_query on execution (day, query); --sqlite
create index execution_by_lineage on execution (lineage, day, ended); --sqlite
create index execution_by_end on execution (ended); --sqlite
