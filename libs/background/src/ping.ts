import pg from 'pg';

/**
 * Resolves when the server answers. Sends only a Sync message: it ends the session's silence like a
 * statement, but starts no transaction.
 * @throws Error if the session is broken, or does not answer within its `query_timeout`
 */
export function ping(client: pg.ClientBase): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Sync('', (error) => (error ? reject(error) : resolve())));
  });
}

/** A statement without text. `submit` is the name that the driver calls. */
class Sync extends pg.Query {
  override submit = (connection: pg.Connection): void => connection.sync();
}
