// as libs/bots/src/index.ts: nothing
const JOBS = 'SELECT id FROM jobs WHERE due_at <= statement_timestamp() ORDER BY due_at LIMIT 5';
export const CLAIM = `DELETE FROM jobs WHERE id = ANY(ARRAY(${JOBS} FOR UPDATE SKIP LOCKED)) RETURNING clock_timestamp() AS at`;
export const OTHERS = `UPDATE jobs SET due_at = clock_timestamp() WHERE id IN (SELECT id FROM others WHERE kind = 'LIMIT') AND id IN ($1, $2)`;
export const ADD = `INSERT INTO jobs (id) SELECT id FROM (SELECT id FROM others WHERE kind = $1) o ON CONFLICT (id) DO UPDATE SET due_at = clock_timestamp()`;
