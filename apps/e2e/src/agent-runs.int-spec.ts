import { eventually } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, createWorkspace, Tieline } from './tieline.js';
import type { Answer, Workspace } from './tieline.js';

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;

beforeAll(async () => {
  tieline = await Tieline.create({
    RATE_AGENT_RUN_CREATE_PER_SECOND: '1',
    RATE_AGENT_RUN_UPDATE_PER_SECOND: '1000',
    AGENT_RUN_TIMEOUT_SECONDS: '3',
    AGENT_STOP_GRACE_SECONDS: '1',
  });
  api = await tieline.start('api');
});
beforeEach(async () => {
  workspace = await createWorkspace(api);
});
afterAll(() => tieline?.close());

const bot = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call(api, method, `/api/v1/bot${path}`, workspace.botToken, body);

/** Posts a person's question. */
async function ask(): Promise<{ conversation_id: string | undefined; trigger_message_id: string }> {
  const [channel] = workspace.channels;
  const { body } = await call(
    api,
    'POST',
    `/api/v1/client/conversations/${channel}/messages`,
    workspace.ownerToken,
    { text: 'what happened?' },
  );
  return { conversation_id: channel, trigger_message_id: body.message_id };
}

async function placeholder(id: string): Promise<Record<string, any>> {
  const { body } = await call(
    api,
    'GET',
    `/api/v1/channels/${workspace.channels[0]}/messages`,
    workspace.ownerToken,
  );
  return body.messages.find((message: { id: string }) => message.id === id);
}

test('20 concurrent creations with one key make one run and one placeholder within a limit of one per second', async () => {
  const question = { ...(await ask()), idempotency_key: 'same' };
  const responses = await Promise.all(Array.from({ length: 20 }, () => bot('POST', '/agent_runs', question)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(responses.map(({ body }) => `${body.agent_run.id} ${body.agent_run.message_id}`)).size).toBe(
    1,
  );
  expect((await tieline.sql.query(`SELECT 1 FROM messages WHERE author_type = 'bot'`)).rowCount).toBe(1);
});

test('a bot cannot edit the placeholder of a running run', async () => {
  const {
    body: { agent_run: run },
  } = await bot('POST', '/agent_runs', { ...(await ask()), idempotency_key: 'k' });
  const edit = (): Promise<Answer> => bot('PATCH', `/messages/${run.message_id}`, { content: 'mine' });
  expect((await edit()).status).toBe(409);
  expect((await bot('POST', `/agent_runs/${run.id}/cancel`)).status).toBe(200);
  expect((await edit()).status).toBe(200);
  expect(await placeholder(run.message_id)).toMatchObject({ text: 'mine' });
});

test('a stop reaches a bot that polls, and after kill -9 of the worker the run is still cancelled', async () => {
  const patient = { AGENT_RUN_TIMEOUT_SECONDS: '1800', AGENT_STOP_GRACE_SECONDS: '3600' };
  let worker = await tieline.start('worker', patient);
  await bot('PATCH', '/me', { event_delivery_mode: 'poll' });
  const {
    body: { agent_run: run },
  } = await bot('POST', '/agent_runs', { ...(await ask()), idempotency_key: 'k' });
  const polled = bot('GET', '/events?wait=25');
  const stop = `/api/v1/client/agent_runs/${run.id}/stop`;
  expect((await call(api, 'POST', stop, workspace.ownerToken)).status).toBe(200);
  expect((await polled).body.events).toMatchObject([{ event_type: 'agent_run.stop_requested' }]);
  await worker.kill('SIGKILL');
  expect((await bot('GET', `/agent_runs/${run.id}`)).body.agent_run.is_terminal).toBe(false);
  worker = await tieline.start('worker', { ...patient, AGENT_STOP_GRACE_SECONDS: '1' });
  const cancelled = { status: 'cancelled', sequence: 2, is_terminal: true };
  await eventually(async () =>
    expect((await bot('GET', `/agent_runs/${run.id}`)).body.agent_run).toMatchObject(cancelled),
  );
  await worker.kill();
});

test('after kill -9 of the api right after a change the placeholder still shows the change, and the run expires', async () => {
  const {
    body: { agent_run: run },
  } = await bot('POST', '/agent_runs', { ...(await ask()), idempotency_key: 'k' });
  const due = async (): Promise<number | null> =>
    (await tieline.sql.query(`SELECT 1 FROM agent_runs WHERE edit_due_at > statement_timestamp()`)).rowCount;
  let sequence = 1;
  // Frozen, and then killed, while a change is stored but not shown, before it would be.
  await eventually(
    async () => {
      process.kill(api.pid, 'SIGCONT');
      sequence += 1;
      expect(
        (
          await bot('PATCH', `/agent_runs/${run.id}`, {
            status: 'using_tool',
            sequence,
            public_text: `step ${sequence}`,
          })
        ).status,
      ).toBe(200);
      process.kill(api.pid, 'SIGSTOP');
      expect(await due()).toBe(1);
    },
    { everyMs: 1 },
  );
  await api.kill('SIGKILL');
  const shown = async (): Promise<string | undefined> =>
    (await tieline.sql.query<{ text: string }>('SELECT text FROM messages WHERE id = $1', [run.message_id]))
      .rows[0]?.text;
  expect(await shown()).not.toBe(`step ${sequence}`);
  [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  await eventually(async () => expect(await shown()).toBe(`step ${sequence}`));
  const expired = {
    status: 'expired',
    status_text: 'Остановлено по тайм-ауту',
    sequence: sequence + 1,
    is_terminal: true,
  };
  await eventually(async () =>
    expect((await bot('GET', `/agent_runs/${run.id}`)).body.agent_run).toMatchObject(expired),
  );
  const message = await placeholder(run.message_id);
  expect([message.text, JSON.parse(message.metadata_json).agent_run]).toMatchObject([
    `step ${sequence}`,
    expired,
  ]);
});
