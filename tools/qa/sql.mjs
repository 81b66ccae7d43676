import pg from 'pg';

/**
 * @template T
 * @param {string} url of a database
 * @param {(client: pg.Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withClient(url, work) {
  const client = new pg.Client(url);
  // A server that is killed ends the connection; the query that waits for it fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
