import type { Queryable } from '../db.js';
import type { RowOf } from '../statement.js';
import { SERVER_VERSION } from './migrations.statements.js';

/** The oldest major version of PostgreSQL that is tested. */
const OLDEST_POSTGRES = 15;

/** Thrown when the server is too old. The start fails. */
export class ServerTooOld extends Error {}

/** @throws ServerTooOld */
export async function checkServerVersion(q: Queryable): Promise<void> {
  const [row] = await q.query(SERVER_VERSION);
  requireServerVersion(row);
}

/** @throws ServerTooOld */
export function requireServerVersion(row: RowOf<typeof SERVER_VERSION> | undefined): void {
  if (row && row.number >= OLDEST_POSTGRES * 10_000) return;
  throw new ServerTooOld(
    `Tieline needs PostgreSQL ${OLDEST_POSTGRES} or newer; this server is ${row?.version ?? 'of no known version'}`,
  );
}
