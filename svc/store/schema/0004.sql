-- What checks of data say.

create table quality (             -- the newest result of each check
    dataset integer not null,
    col text collate "C" not null, --postgres
    col text not null,             -- a column's name; '' for the whole dataset --sqlite
    name text collate "C" not null, --postgres
    name text not null,             --sqlite
    status smallint not null,      -- 1 pass, 2 warn, 3 fail
    at bigint not null,
    message text collate "C" not null, --postgres
    message text not null,             --sqlite
    source text collate "C" not null, --postgres
    source text not null,             --sqlite
    primary key (dataset, col, name)
)
without rowid --sqlite
;
create index quality_by_status on quality (status, at);
create index quality_by_dataset on quality (dataset, status);
