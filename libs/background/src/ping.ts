import type pg from 'pg';

/**
 * Resolves when the server answers. Sends only a Sync message: it ends the session's silence like a
 * statement, but starts no transaction.
 * @throws Error if the session is broken, or does not answer within its `query_timeout`
 */
export function ping(client: pg.ClientBase): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Sync((error) => (error ? reject(error) : resolve())));
  });
}

/** The names are those that the driver calls. It wraps `callback` for its timeout. */
class Sync implements pg.Submittable {
  constructor(public callback: (error?: Error | null) => void) {}

  submit(connection: pg.Connection): void {
    connection.sync();
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
