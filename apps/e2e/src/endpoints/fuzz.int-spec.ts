import { TEST_ENVIRONMENT } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { Cases, numbersFrom } from './cases.js';
import { Writes } from './writes.js';

/** Cases per operation; FUZZ_CASES=200 takes longer. Repeat a failure with the same FUZZ_SEED. */
const CASES = Number(process.env.FUZZ_CASES ?? 4);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const HANG_MS = 35_000;
const NOBODY = '00000000-0000-7000-8000-000000000000';
const STREAMS = /\/stream$/;
/** Operations that would remove the actors of other cases; they are tried on an unknown person. */
const FATAL =
  /regenerate_token|archive|leave|members|^DELETE .*(bots|webhooks)|^PATCH .*(users|spaces|bots)\/\{id\}$|bot\/me/;

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;
/** Existing ids by the noun before the id in a path. */
let places: Record<string, string[]>;
let ids: string[];
let hookToken: string;
let writes: Writes;
/** Limits high enough that earlier cases never cause a refusal. */
const RATES = [
  ...[
    'AGENT_RUN_CREATE',
    'AGENT_RUN_UPDATE',
    'POLL',
    'BOT_MESSAGES',
    'BOT_WRITES',
    'DM',
    'USER_WRITES',
    'TASK_WRITES',
  ],
].map((name) => [`RATE_${name}_PER_SECOND`, '1000000']);

beforeAll(async () => {
  tieline = await Tieline.create(Object.fromEntries(RATES) as Record<string, string>);
  api = await tieline.start('api');
  workspace = await createWorkspace(api);
  const channel = workspace.channels[0] as string;
  const owner = (path: string, body: object): Promise<Record<string, any>> =>
    expectOk(call(api, 'POST', `/api/v1/${path}`, workspace.ownerToken, body));
  const bot = (path: string, body: object): Promise<Record<string, any>> =>
    expectOk(call(api, 'POST', `/api/v1/bot/${path}`, workspace.botToken, body));
  const { message_id: trigger } = await owner(`client/conversations/${channel}/messages`, { text: 'hello' });
  const { message_id: message } = await bot('messages', { conversation_id: channel, content: 'hello' });
  const hook = await owner('admin/incoming_webhooks', {
    ...{ name: 'hook', conversation_id: channel, require_signature: false },
  });
  hookToken = hook.token;
  const { subscription } = await owner('admin/outgoing_webhooks', {
    ...{ name: 'mine', url: (await tieline.receiver()).url, event_types: ['MESSAGE_CREATED'] },
  });
  const { delivery_id: delivery } = await owner(`admin/outgoing_webhooks/${subscription.id}/test`, {});
  const { agent_run: run } = await bot('agent_runs', {
    ...{ idempotency_key: 'run', conversation_id: channel, trigger_message_id: trigger },
  });
  const { execution_task: task } = await bot('execution_tasks', {
    ...{ idempotency_key: 'task', conversation_id: channel },
  });
  const { approval } = await bot('approvals', { conversation_id: channel, title: 'Deploy?' });
  await expectOk(call(api, 'PATCH', '/api/v1/bot/me', workspace.botToken, { event_delivery_mode: 'poll' }));
  await expectOk(
    call(api, 'POST', `/api/v1/bots/${workspace.botId}/commands`, workspace.botToken, { name: 'deploy' }),
  );
  const { users } = await expectOk(call(api, 'GET', '/api/v1/admin/users', workspace.ownerToken));
  places = {
    ...{
      conversations: [channel],
      channels: [channel],
      messages: [message, message, trigger],
      bots: [workspace.botId],
    },
    ...{ users: [users[0].id], incoming_webhooks: [hook.webhook.id], spaces: [workspace.spaceId] },
    ...{ outgoing_webhooks: [subscription.id], deliveries: [delivery], agent_runs: [run.run_id ?? run.id] },
    approvals: [approval.id],
    ...{ execution_tasks: [task.widget_id], commands: ['deploy'], reactions: ['👍'] },
  };
  ids = Object.values(places).flat();
  writes = await Writes.watch(tieline.sql);
});
afterAll(() => tieline?.close());

function tokenFor(path: string): string {
  if (path.includes('/operator/')) return TEST_ENVIRONMENT.OPERATOR_TOKEN;
  return /^\/api\/v1\/bots?\//.test(path) ? workspace.botToken : workspace.ownerToken;
}

/** Returns the path with its parameters filled in, mostly with existing ids. */
function address(cases: Cases, name: string, path: string): string {
  return path.replace(/(?<=([^/]+)\/)\{([^}]+)\}/g, (_, noun: string, parameter: string) => {
    const near = parameter === 'token' ? hookToken : cases.pick(places[noun] ?? [NOBODY]);
    const id = FATAL.test(name) ? NOBODY : cases.chance(0.7) ? near : cases.pick(ids);
    return cases.chance(0.15) ? cases.segment() : encodeURIComponent(id);
  });
}

test('no request to a documented operation causes a 5xx, a hang or a partial write', async () => {
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as Record<string, any>;
  const cases = new Cases(numbersFrom(SEED), document, [...ids, NOBODY]);
  const faults: string[] = [];
  for (const [path, operations] of Object.entries<Record<string, any>>(document.paths)) {
    if (STREAMS.test(path)) continue;
    for (const [verb, operation] of Object.entries(operations)) {
      const method = verb.toUpperCase();
      const name = `${method} ${path}`;
      for (let n = 0; n < CASES; n += 1) {
        const query = new URLSearchParams();
        for (const { in: place, name: key, schema } of operation.parameters ?? [])
          if (place === 'query' && key !== 'wait' && cases.chance(0.5))
            query.set(key, cases.parameter(schema));
        const schema = operation.requestBody?.content['application/json']?.schema;
        const body = schema === undefined ? undefined : cases.body(schema);
        const target = `${address(cases, name, path)}${query.size > 0 ? `?${query}` : ''}`;
        const fault = await faultOf(target, method, path, { body, contentType: cases.contentType() });
        if (fault !== undefined)
          faults.push(`${method} ${target.slice(0, 200)} ${String(body).slice(0, 300)}: ${fault}`);
      }
    }
  }
  expect(faults).toEqual([]);
}, 3_600_000);

async function faultOf(
  target: string,
  method: string,
  path: string,
  { body, contentType }: { body: string | Buffer | undefined; contentType: string },
): Promise<string | undefined> {
  try {
    const response = await fetch(`${api.url}${target}`, {
      method,
      body,
      headers: { authorization: `Bearer ${tokenFor(path)}`, 'content-type': contentType },
      signal: AbortSignal.timeout(HANG_MS),
    });
    const text = await response.text();
    const fault = response.status >= 500 ? [text.slice(0, 100)] : await leftBehind(path, response.status);
    return fault.length > 0 ? `${response.status} ${fault.join(', ')}` : undefined;
  } catch (error) {
    return String(error);
  }
}

/** Returns what a refused request wrote. A webhook stores for its admins why it refused. */
async function leftBehind(path: string, status: number): Promise<string[]> {
  const written = await writes.taken();
  if (status < 400) return [];
  return /\/(admin|bot|bots|client|operator)\//.test(path)
    ? written
    : written.filter((write) => write !== 'UPDATE incoming_webhooks');
}
