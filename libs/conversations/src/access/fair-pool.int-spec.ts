import { eventually } from '@tieline/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi } from '../testing/chat-api.js';

/** The pool has 24 connections; one caller may use a third of them. */
const THIRD = 8;

const BUSY = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
  AND backend_type = 'client backend' AND application_name = 'tieline'`;

let api: TestApi;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api?.close());

test('a member who creates 300 conversations of 150 people concurrently leaves connections for everyone else', async () => {
  const [flooded, other] = [await ChatSpace.on(api), await ChatSpace.on(api)];
  const member = await flooded.space.person('member');
  const ids = await api.db.query(
    `INSERT INTO users (id, space_id, display_name, role, token_hash)
     SELECT gen_random_uuid(), $1, 'person ' || n, 'member', sha256(gen_random_uuid()::text::bytea) FROM generate_series(1, 150) n
     RETURNING id`,
    [flooded.space.spaceId],
  );
  const body = { type: 'channel', name: 'crowd', member_ids: (ids as { id: string }[]).map(({ id }) => id) };
  const flood = Promise.all(
    Array.from({ length: 300 }, () => flooded.as(member, 'POST', '/conversations', body)),
  );
  const busy = async (): Promise<number> => (await api.db.query(BUSY)).length;
  await eventually(async () => expect(await busy()).toBeGreaterThan(0));
  const reads: TestAnswer[] = [];
  let most = 0;
  for (let n = 0; n < 20; n += 1) {
    reads.push(await other.as(other.people.ann, 'GET', '/conversations'));
    most = Math.max(most, await busy());
  }
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(THIRD);
  const answers = await flood;
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 429]);
  expect(
    answers.filter(({ status }) => status === 429).every(({ headers }) => headers.has('retry-after')),
  ).toBe(true);
});
