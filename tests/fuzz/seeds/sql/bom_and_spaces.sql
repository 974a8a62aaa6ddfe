select a　from s.t
;

select b	froms.u