import type { Db } from '@tieline/platform/database';

/**
 * Returns the names, or the texts of unnamed ones, of the statements that are sent through the
 * product's pool while `work` runs, in this order. Those of the rate limiter are left out, because
 * it has its own connections.
 */
export async function statementsDuring(
  { pool }: Pick<Db, 'pool'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  const sent: string[] = [];
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const statement = args[0] as string | { name?: string; text: string };
    const name = typeof statement === 'string' ? statement : (statement.name ?? statement.text);
    if (!name.startsWith('rate_')) sent.push(name);
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}
