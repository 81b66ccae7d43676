// as libs/bots/src/index.ts: house/no-limited-in
const DUE = 'SELECT id FROM jobs WHERE due_at < now() FOR NO KEY UPDATE SKIP LOCKED';
export const CLAIM = `DELETE FROM jobs WHERE id IN (${DUE})`;
