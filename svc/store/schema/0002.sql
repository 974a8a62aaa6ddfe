-- Finding things by any part of their names and comments, and what is newest.

create table term (                -- every name of a dataset or column and every comment once, its first 150 characters
    id integer primary key,                             --sqlite
    id integer generated always as identity primary key, --postgres
    grams integer[] not null,                           --postgres
    text text collate "C" not null unique --postgres
    text text not null unique             --sqlite
);
-- Which terms hold which pairs and triples of characters; term.c makes them.
create virtual table term_gram using fts5(grams, content = '', columnsize = 0, detail = 'none'); --sqlite
create index term_by_gram on term using gin (grams); --postgres

create index dataset_by_name on dataset (name);
create index dataset_by_comment on dataset (substr(comment, 1, 150)) where comment is not null;
create index col_by_comment on col (substr(comment, 1, 150)) where comment is not null;

create index execution_by_end on execution (ended);
create index lineage_by_fingerprint on lineage (fingerprint);
create index definition_by_time on definition (at);

create table token (               -- who may ask from elsewhere
    hash text primary key,         -- SHA-256 of the token, hexadecimal
    name text not null,
    scopes text not null,          -- read, sql, write, admin; separated by commas
    created bigint not null,
    expires bigint not null,       -- 0: never
    revoked smallint not null
);
