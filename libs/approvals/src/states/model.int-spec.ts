import { startAnotherApi } from '@tieline/bots/testing';
import type { AnotherApi } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { ApprovalsModule } from '../approvals.module.js';
import { ExpireApprovals } from '../endings/expire-approvals.js';
import { ApprovalsHarness, startApprovalsApi } from '../testing/approvals-harness.js';
import type { Approval } from '../testing/approvals-harness.js';
import { ALWAYS, contradictions, numbers, OPTIONS } from '../testing/reference-machine.js';
import type { Answer, Attempt } from '../testing/reference-machine.js';

/*
 * Random operations of people, bots, rules and the clock hit 500 approvals concurrently, through
 * two apis, one of which restarts. Each approval must end as the reference machine below says, with
 * exactly one result.
 */

const APPROVALS = 500;
const AT_ONCE = 12;
const SEED = Number(process.env.MODEL_SEED ?? 4711);

let api: TestApi;
let another: AnotherApi;
let fx: ApprovalsHarness;
let people: SeededPerson[];
/** True while the other api is down or about to be. */
let isRestarting = false;

beforeAll(async () => {
  api = await startApprovalsApi();
  another = await start();
  fx = await ApprovalsHarness.of(api);
  people = [fx.owner, fx.ann, fx.bob];
});
afterAll(async () => {
  await another?.app.close();
  await api?.close();
});

const start = (): Promise<AnotherApi> => startAnotherApi(api, [ClientStreamModule, ApprovalsModule]);

/** Calls one of the two apis. A request to the one that restarts is repeated on the other. */
async function send(viaOther: boolean, path: string, token: string, body: object): Promise<Answer> {
  if (viaOther && !isRestarting)
    try {
      const response = await fetch(`${another.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const answer = { status: response.status, body: (await response.json()) as Answer['body'] };
      if (answer.status < 500) return answer;
    } catch {
      // The connection ended in the middle of the request.
    }
  return api.call('POST', path, { token, body });
}

/** Creates an approval with a random form of the question. */
async function ask(pick: (n: number) => number, n: number): Promise<{ body: object; approval: Approval }> {
  const isRuled = pick(4) === 0;
  const body = {
    conversation_id: fx.channel,
    title: `Question ${n}`,
    tool: `tool-${pick(40)}`,
    options: isRuled ? [...OPTIONS, ALWAYS] : OPTIONS,
    approvers: { count: isRuled ? 1 : 1 + pick(3) },
    on_expiry: pick(2) === 0 ? 'expire' : 'deny',
    external_id: `model-${n}`,
  };
  return { body, approval: await fx.approval(body) };
}

/** Runs two to six random operations on an approval concurrently. */
async function disturb(
  pick: (n: number) => number,
  { body, approval }: { body: object; approval: Approval },
): Promise<Attempt[]> {
  const bot = `/api/v1/bot/approvals`;
  const attempts = Array.from({ length: 2 + pick(5) }, async (): Promise<Attempt[]> => {
    const [what, viaOther] = [pick(10), pick(2) === 0];
    if (what === 0)
      return [{ by: 'bot', answer: await send(viaOther, `${bot}/${approval.id}/cancel`, fx.bot.token, {}) }];
    if (what === 1) return [{ by: 'repeat', answer: await send(viaOther, bot, fx.bot.token, body) }];
    if (what === 2) {
      await fx.passTime(approval.id);
      await api.app.get(ExpireApprovals).expire(fx.spaceId, approval.id);
      return [];
    }
    const person = people[pick(people.length)] as SeededPerson;
    const options = approval.options as { id: string }[];
    const option = options[pick(options.length)]?.id as string;
    const decide = () =>
      send(viaOther, `/api/v1/client/approvals/${approval.id}/decide`, person.token, { option_id: option });
    const first = { by: person.id, option, answer: await decide() };
    return pick(3) === 0 ? [first, { ...first, answer: await decide() }] : [first];
  });
  return (await Promise.all(attempts)).flat();
}

test(`${APPROVALS} approvals under random concurrent operations have exactly one result each`, async () => {
  const pick = numbers(SEED);
  const failures: string[] = [];
  const finals = new Map<string, Approval>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < APPROVALS) {
      const n = (next += 1);
      const asked = await ask(pick, n);
      const attempts = await disturb(pick, asked);
      const final = await fx.get(asked.approval.id);
      finals.set(final.id as string, final);
      const wrong = contradictions(final, attempts);
      if (wrong.length > 0) failures.push(`${n}: ${wrong.join(', ')} ${JSON.stringify([final, attempts])}`);
    }
  };
  const restart = async (): Promise<void> => {
    for (let done = 0; done < 3; done += 1) {
      const until = next + APPROVALS / 5;
      await eventually(() => next >= Math.min(until, APPROVALS), { timeoutMs: 120_000 });
      await another.app.close();
      isRestarting = true;
      another = await start();
      isRestarting = false;
    }
  };
  await Promise.all([restart(), ...Array.from({ length: AT_ONCE }, work)]);
  expect({ seed: SEED, failures: failures.slice(0, 3) }).toEqual({ seed: SEED, failures: [] });
  expect(finals.size).toBe(APPROVALS);

  // Whatever is still pending ends now, so that every approval has its one end.
  for (const { id, state } of finals.values()) if (state === 'pending') await fx.passTime(id as string);
  await eventually(
    async () => (await readRows(api.db, `SELECT 1 FROM approvals WHERE state = 'pending'`)).length === 0,
    { timeoutMs: 60_000 },
  );
  const ends = await readRows<{ id: string; state: string; sent: number; audited: number }>(
    api.db,
    `SELECT a.id, a.state,
       (SELECT count(*)::int FROM audit_log l WHERE l.space_id = a.space_id AND l.object_id = a.id
          AND l.changes -> 'state' ->> 'to' NOT IN ('pending')) AS audited
     FROM approvals a WHERE a.space_id = $1`,
    [fx.spaceId],
  );
  expect(ends.filter(({ audited }) => audited !== 1)).toEqual([]);
  expect(new Set(ends.map(({ state }) => state)).size).toBe(5);
});

test('the bot gets exactly one approval.decided for every end but its own cancel', async () => {
  const expected = await readRows<{ id: string }>(
    api.db,
    `SELECT id FROM approvals WHERE space_id = $1 AND state <> 'cancelled' ORDER BY id`,
    [fx.spaceId],
  );
  const decided = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/api/v1/bot/events?limit=500&cursor=${cursor}`;
      const { body } = await api.call('GET', path, { token: fx.bot.token });
      for (const { event_type: type, payload_json: json } of body.events)
        if (type === 'approval.decided') ids.push((JSON.parse(json) as Approval).approval.id);
      if (body.next_cursor === '') return ids.sort();
      cursor = body.next_cursor;
    }
  };
  await eventually(async () => (await decided()).length >= expected.length, { timeoutMs: 60_000 });
  expect(await decided()).toEqual(expected.map(({ id }) => id).sort());
});
