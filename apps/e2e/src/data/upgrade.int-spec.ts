import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runMigrations } from '@tieline/platform/database';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import { Webhook } from 'standardwebhooks';
import { call, expectOk, Tieline } from '../tieline.js';
import { fillAsRelease, MESSAGES, migrationsOfRelease, WAITING } from './release-0.1.0.js';

const MIGRATE = fileURLToPath(new URL('../../../api/dist/migrate.js', import.meta.url));

let tieline: Tieline;
beforeAll(async () => {
  tieline = await Tieline.create();
});
afterAll(() => tieline?.close());

/** Returns the number of rows of each table that existed in 0.1.0. */
async function counts(): Promise<Record<string, number>> {
  const { rows } = await tieline.sql.query<{ name: string; n: number }>(
    `SELECT relname AS name, (xpath('/row/n/text()', query_to_xml('SELECT count(*) AS n FROM ' || oid::regclass, false, true, '')))[1]::text::int AS n
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'schema_migrations'`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

test('a database of release 0.1.0 continues with the current programs and all its data', async () => {
  const receiver = await tieline.receiver();
  await tieline.sql.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await runMigrations(tieline.databaseUrl, await migrationsOfRelease());
  const { space, channel, subscription, tokens, secret } = await fillAsRelease(
    tieline.sql,
    `${receiver.url}/hook`,
  );
  const before = await counts();
  expect(Object.values(before).filter((n) => n > 0).length).toBeGreaterThan(12);

  await promisify(execFile)(process.execPath, [MIGRATE], {
    env: { ...TEST_ENVIRONMENT, DATABASE_URL: tieline.databaseUrl },
  });
  expect(await counts()).toMatchObject(before);

  const api = await tieline.start('api');
  await tieline.start('worker');
  const asOwner = (method: string, path: string, body?: object) =>
    expectOk(call(api, method, path, tokens.owner, body));
  const { messages } = await asOwner(
    'GET',
    `/api/v1/channels/${channel}/messages?limit=200&after_msg_index=0`,
  );
  expect(messages.map((message: { text: string }) => message.text).slice(0, 2)).toEqual([
    'message 1',
    'message 2',
  ]);
  const waited = await receiver.waitFor((request) => request.body.toString() === WAITING.body);
  expect(waited.headers).toMatchObject(WAITING.headers);

  await asOwner('POST', `/api/v1/client/conversations/${channel}/messages`, { text: 'after the upgrade' });
  await expectOk(
    call(api, 'POST', `/api/v1/webhooks/incoming/${tokens.incoming}`, '', { text: 'from outside' }),
  );
  for (const text of ['after the upgrade', 'from outside']) {
    const { body, headers } = await receiver.waitFor((request) => request.body.includes(text));
    expect(() =>
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>),
    ).not.toThrow();
  }
  expect(receiver.requests).toHaveLength(3);

  const polled: number[] = [];
  for (let cursor = '0', more = true; more;) {
    const page = await expectOk(
      call(api, 'GET', `/api/v1/bot/events?cursor=${cursor}&limit=200`, tokens.bot),
    );
    polled.push(page['events'].length);
    more = page['events'].length > 0;
    cursor = page['next_cursor'];
  }
  expect(polled.reduce((sum, n) => sum + n, 0)).toBe(MESSAGES + 2);
  const log = await asOwner('GET', `/api/v1/admin/outgoing_webhooks/${subscription}/deliveries?limit=50`);
  expect(log.deliveries.map(({ status }: { status: string }) => status).sort()).toEqual([
    'dead',
    'success',
    'success',
    'success',
  ]);
  expect(space).toBe((await asOwner('GET', '/api/v1/admin/space')).space.id);
});
