-- 投诉分词: 关键词命中与满意度
CREATE TABLE IF NOT EXISTS tmp.complaint_word (
    topic STRING, word STRING, tickets BIGINT, mean_score DOUBLE, sample_text STRING
) PARTITIONED BY (dt STRING) STORED AS ORC;

INSERT OVERWRITE TABLE tmp.complaint_word PARTITION (dt = '${hivevar:dt}')
SELECT c.topic,
       w.word,
       count(DISTINCT c.ticket_id)              AS tickets,
       avg(c.score)                             AS mean_score,
       max(substr(regexp_replace(c.words, '[\\r\\n\\t]+', ' '), 1, 80)) AS sample_text
FROM ods.ods_complaint_di c
LATERAL VIEW explode(split(lower(c.words), '[^a-z一-龥]+')) w AS word
WHERE c.dt = '${hivevar:dt}'
  AND length(w.word) > 1
  AND c.score IS NOT NULL
GROUP BY c.topic, w.word
HAVING count(DISTINCT c.ticket_id) >= 3
   AND mean_score < 3.5;
