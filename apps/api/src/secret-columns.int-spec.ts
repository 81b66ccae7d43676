import { openDb } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { reencryptSecrets } from '@tieline/reencryption';
import { createTestDatabase, readRows } from '@tieline/testing';
import { randomBytes } from 'node:crypto';
import { SECRET_COLUMNS } from './secret-columns.js';

/** Byte columns without sealed values. Add a new one here or in `secret-columns.ts`. */
const NOT_SEALED = [
  'app_authorizations.grant_hash',
  'app_installations.bot_grant_hash',
  'approvals.fingerprint',
  'apps.client_secret_hash',
  'apps.previous_client_secret_hash',
  'bots.token_hash',
  // Keys from before they were sealed. They move to `sealed_key` when they are used.
  'builtin_component_keys.key',
  'component_clicks.fingerprint',
  'delivery_payloads.body',
  'execution_task_updates.fingerprint',
  'execution_tasks.capability_hash',
  'execution_tasks.fingerprint',
  'idempotency_keys.fingerprint',
  'incoming_requests.body',
  'incoming_signatures.request_hash',
  'incoming_signatures.signature',
  'incoming_webhooks.token_hash',
  'invites.token_hash',
  'modals.token_hash',
  'oauth_records.grant_hash',
  'oauth_records.id_hash',
  'option_requests.fingerprint',
  'sessions.token_hash',
  'users.token_hash',
];

test('every byte column is either re-encrypted or known to contain nothing sealed', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url, poolMax: 2 });
  try {
    const rows = await readRows<{ name: string }>(
      db,
      `SELECT c.relname || '.' || a.attname AS name
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE a.atttypid = 'bytea'::regtype AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relnamespace = 'public'::regnamespace`,
    );
    const listed = SECRET_COLUMNS.map(({ table, secretColumn }) => `${table}.${secretColumn}`);
    expect(rows.map((row) => row.name).sort()).toEqual([...listed, ...NOT_SEALED].sort());
    const results = await reencryptSecrets(db, new SecretBox(randomBytes(32)), SECRET_COLUMNS);
    expect(results).toHaveLength(SECRET_COLUMNS.length);
  } finally {
    await db.close();
    await database.drop();
  }
});
