-- What each catalog said of each dataset, so that catalogs may come in any order. Of what was loaded before only the definitions are known that were kept.

create table catalog_load (        -- a catalog of one time: the files' catalogs are numbered as they are loaded
    number bigint primary key,     -- file * 2^32 + number of its catalog
    source text collate "C" not null, --postgres
    source text not null,             --sqlite
    at bigint not null,
    unique (source, at)
);

create table catalog_said (        -- the same statement in all catalogs of a file from `first` to `last`
    dataset integer not null,
    statement bigint not null,     -- its hash; the text stands in definition
    first bigint not null,
    last bigint not null,
    primary key (dataset, statement, first)
)
without rowid --sqlite
;

insert into catalog_load (number, source, at) select row_number() over (order by t.at), '', t.at
    from (select distinct at from definition where source = 'catalog') t;
insert into catalog_said (dataset, statement, first, last) select f.dataset,
    hash47(f.statement), --sqlite
    ('x' || substr(md5(f.statement), 1, 12))::bit(48)::bigint, --postgres
    l.number, l.number from definition f join catalog_load l on l.at = f.at and l.source = '' where f.source = 'catalog';

-- What kind of dataset a statement tells of, so that it can be told again when the statement does not count any more.
alter table lineage_dataset add column kind smallint not null default 0; -- 0 table, 1 temporary, 2 view, 3 materialized_view
update lineage_dataset set kind = 2 where role = 2 or (role = 3 and lineage in (select id from lineage where operation in ('create_view', 'alter_view')));
update lineage_dataset set kind = 3 where role = 3 and lineage in
    (select id from lineage where operation in ('create_materialized_view', 'rebuild_materialized_view'));
update lineage_dataset set kind = 1 where role in (3, 5) and dataset in (select id from dataset where kind = 'temporary') and lineage in
    (select id from lineage where operation in ('create_table', 'create_table_as_select'));
