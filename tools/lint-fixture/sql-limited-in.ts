// as libs/bots/src/index.ts: house/no-limited-in
const BATCH = 5;
export const CLAIM = `DELETE FROM jobs WHERE (space_id, id) IN (
  SELECT space_id, id FROM jobs ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`;
