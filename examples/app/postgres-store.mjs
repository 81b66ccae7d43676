/**
 * Keeps the tokens of an app in PostgreSQL, for apps of several processes. `pool` is a Pool of the
 * package pg. Tokens are secrets: encrypt the column `space` if others can read the database.
 *
 * CREATE TABLE app_spaces (space_id text PRIMARY KEY, space jsonb NOT NULL);
 */
export function postgresStore(pool) {
  return {
    async get(spaceId) {
      const { rows } = await pool.query('SELECT space FROM app_spaces WHERE space_id = $1', [spaceId]);
      return rows[0]?.space;
    },
    async set(space) {
      await pool.query(
        `INSERT INTO app_spaces (space_id, space) VALUES ($1, $2)
         ON CONFLICT (space_id) DO UPDATE SET space = excluded.space`,
        [space.spaceId, JSON.stringify(space)],
      );
    },
    async delete(spaceId) {
      await pool.query('DELETE FROM app_spaces WHERE space_id = $1', [spaceId]);
    },
    /** A second process waits here until the first one has stored the new token. */
    async lock(spaceId, work) {
      const connection = await pool.connect();
      try {
        await connection.query('BEGIN');
        await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [spaceId]);
        return await work();
      } finally {
        await connection.query('COMMIT').catch(() => undefined);
        connection.release();
      }
    },
  };
}
