// as libs/bots/src/index.ts: house/no-clock-in-where
const DUE = `due_at <= clock_timestamp() - interval '1 second'`;
export const FIND = `SELECT id FROM jobs WHERE space_id = $1 AND ${DUE} ORDER BY due_at`;
