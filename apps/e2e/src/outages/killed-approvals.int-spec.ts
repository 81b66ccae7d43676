import { ALWAYS, contradictions, numbers, OPTIONS } from '@tieline/approvals/testing';
import type { Answer, Attempt } from '@tieline/approvals/testing';
import { eventually, RedisServer } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/*
 * Random operations hit 500 approvals concurrently, while the api and the worker are killed and
 * Redis, if it is used, is flushed. Each approval must have exactly one result, and no response may
 * contradict it.
 */

const APPROVALS = 500;
const AT_ONCE = 8;
const KILLS = 5;
const SEED = Number(process.env.MODEL_SEED ?? 4711);
/** Statuses after which a client repeats its request. */
const AGAIN = 500;

let tieline: Tieline;
let redis: RedisServer | undefined;
let api: AppProcess;
let worker: AppProcess;
let workspace: Workspace;
/** Owner and two members. */
let people: { id: string; token: string }[];

beforeAll(async () => {
  if (process.env.REDIS_URL) redis = await RedisServer.start();
  tieline = await Tieline.create({ RATE_APPROVALS_PER_SECOND: '1999', REDIS_URL: redis?.url });
  [api, worker] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  workspace = await createWorkspace(api, { channels: 5 });
  const { ownerToken, botId } = workspace;
  await expectOk(
    call(api, 'PATCH', `/api/v1/admin/bots/${botId}`, ownerToken, { event_delivery_mode: 'poll' }),
  );
  const me = await expectOk(call(api, 'GET', '/api/v1/client/me', ownerToken));
  people = [{ id: me.user.id, token: ownerToken }];
  for (const name of ['Ann', 'Bob']) {
    const body = { display_name: name, role: 'member' };
    const { user, token } = await expectOk(call(api, 'POST', '/api/v1/admin/users', ownerToken, body));
    people.push({ id: user.id, token });
    for (const channel of workspace.channels)
      await expectOk(
        call(api, 'POST', `/api/v1/client/conversations/${channel}/members`, ownerToken, {
          member_id: user.id,
        }),
      );
  }
});
afterAll(async () => {
  await tieline?.close();
  await redis?.stop();
});

/** Repeats a request until an api that lives has processed it. */
async function send(method: string, path: string, token: string, body?: object): Promise<Answer> {
  let answer: Answer | undefined;
  await eventually(
    async () => {
      const { status, body: received } = await call(api, method, path, token, body);
      if (status >= AGAIN) throw new Error(`status ${status}`);
      answer = { status, body: received };
    },
    { timeoutMs: 60_000 },
  );
  return answer!;
}

const BOT = '/api/v1/bot/approvals';

const passTime = (condition: string, values: unknown[]): Promise<unknown> =>
  tieline.sql.query(
    `UPDATE approvals SET expires_at = clock_timestamp() - interval '1 second' WHERE state = 'pending' AND ${condition}`,
    values,
  );

/** Creates an approval and runs two to five random operations on it concurrently. */
async function disturb(pick: (n: number) => number, n: number): Promise<[string, Attempt[]]> {
  const { botToken, channels } = workspace;
  const isRuled = pick(4) === 0;
  const options = isRuled ? [...OPTIONS, ALWAYS] : OPTIONS;
  const question = {
    conversation_id: channels[n % channels.length],
    title: `Question ${n}`,
    tool: `tool-${pick(40)}`,
    options,
    approvers: { count: isRuled ? 1 : 1 + pick(3) },
    on_expiry: pick(2) === 0 ? 'expire' : 'deny',
    external_id: `killed-${n}`,
  };
  const created = await send('POST', BOT, botToken, question);
  const id: string = created.body.approval?.id;
  if (!id) throw new Error(`not created: ${JSON.stringify(created)}`);
  const attempts = Array.from({ length: 2 + pick(4) }, async (): Promise<Attempt[]> => {
    const what = pick(8);
    if (what === 0) return [{ by: 'bot', answer: await send('POST', `${BOT}/${id}/cancel`, botToken, {}) }];
    if (what === 1) return [{ by: 'repeat', answer: await send('POST', BOT, botToken, question) }];
    if (what === 2) {
      await passTime('id = $1', [id]);
      return [];
    }
    const [person, option] = [people[pick(people.length)]!, options[pick(options.length)]!.id];
    const path = `/api/v1/client/approvals/${id}/decide`;
    return [{ by: person.id, option, answer: await send('POST', path, person.token, { option_id: option }) }];
  });
  return [id, (await Promise.all(attempts)).flat()];
}

/** Returns the approvals of all `approval.decided` that the bot can read, sorted. */
async function decided(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const path = `/api/v1/bot/events?limit=500&cursor=${cursor}`;
    const { body } = await send('GET', path, workspace.botToken);
    for (const { event_type: type, payload_json: json } of body.events)
      if (type === 'approval.decided') ids.push(JSON.parse(json).approval.id);
    if (body.next_cursor === '') return ids.sort();
    cursor = body.next_cursor;
  }
}

test(`${APPROVALS} approvals have one result each, although api and worker are killed and Redis is flushed`, async () => {
  const pick = numbers(SEED);
  const tried = new Map<string, Attempt[]>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < APPROVALS) {
      const [id, attempts] = await disturb(pick, (next += 1));
      tried.set(id, attempts);
    }
  };
  const kill = async (): Promise<void> => {
    for (let done = 0; done < KILLS; done += 1) {
      const until = ((done + 0.2 + pick(60) / 100) * APPROVALS) / KILLS;
      await eventually(() => expect(next).toBeGreaterThan(until), { timeoutMs: 120_000 });
      await redis?.flush();
      if (done % 2 === 0) {
        await worker.kill('SIGKILL');
        worker = await tieline.start('worker');
      }
      await api.kill('SIGKILL');
      api = await tieline.start('api');
    }
  };
  await Promise.all([kill(), ...Array.from({ length: AT_ONCE }, work)]);
  expect(tried.size).toBe(APPROVALS);

  // What no one decided ends now.
  await passTime('true', []);
  await eventually(
    async () => {
      const { rows } = await tieline.sql.query(`SELECT id FROM approvals WHERE state = 'pending'`);
      expect(rows).toEqual([]);
    },
    { timeoutMs: 60_000, everyMs: 250 },
  );
  const failures: string[] = [];
  const told: string[] = [];
  for (const [id, attempts] of tried) {
    const { approval } = (await send('GET', `${BOT}/${id}`, workspace.botToken)).body;
    if (approval.state !== 'cancelled') told.push(id);
    const wrong = contradictions(approval, attempts);
    if (wrong.length > 0) failures.push(`${wrong.join(', ')} ${JSON.stringify([approval, attempts])}`);
  }
  expect({ seed: SEED, failures: failures.slice(0, 3) }).toEqual({ seed: SEED, failures: [] });
  await eventually(async () => expect(await decided()).toEqual(told.sort()), {
    timeoutMs: 60_000,
    everyMs: 500,
  });
  const { rows: ends } = await tieline.sql.query<{ state: string; audited: number }>(
    `SELECT a.state,
       (SELECT count(*)::int FROM audit_log l WHERE l.space_id = a.space_id AND l.object_id = a.id
          AND l.changes -> 'state' ->> 'to' NOT IN ('pending')) AS audited
     FROM approvals a`,
  );
  expect(ends).toHaveLength(APPROVALS);
  expect(ends.filter(({ audited }) => audited !== 1)).toEqual([]);
  expect(new Set(ends.map(({ state }) => state)).size).toBe(5);
}, 400_000);
