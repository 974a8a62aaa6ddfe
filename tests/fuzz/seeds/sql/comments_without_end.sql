select a /* b /* c */ from s.t; -- d
 select a /*+ hint from s.t