import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import pg from 'pg';
import { processIdentity } from '../process-identity.mjs';
import { startSimulator } from '../simulator/simulator.mjs';
import { DUE, durationOf, UNDER_WAY } from '../simulator/time.mjs';
import { script, until } from './node-script.mjs';

const isGone = (pid) => processIdentity(pid) === undefined;

describe('durations', () => {
  it.each([
    [250, 250],
    ['500ms', 500],
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1.5h', 5_400_000],
  ])('%p', (text, milliseconds) => expect(durationOf(text)).toBe(milliseconds));

  it.each(['', '1', 'h', '1 h', '1h, 3m', '-1h', 'tomorrow'])('%p is none', (text) =>
    expect(() => durationOf(text)).toThrow('is no duration'),
  );
});

describe('a simulator', () => {
  let tieline;
  let receiver;

  beforeAll(async () => {
    // Retries come only when time is moved.
    tieline = await startSimulator({ env: { DELIVERY_BACKOFF_INITIAL_MS: '900000' } });
    receiver = await startReceiver();
  });

  afterAll(async () => {
    receiver?.server.close();
    await tieline?.stop();
    const { pids, folder } = tieline;
    expect(pids.map(isGone)).toEqual([true, true, true]);
    expect(existsSync(folder)).toBe(false);
  });

  const call = async (method, path, token, body) => {
    const response = await fetch(`${tieline.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, .../** @type {any} */ (await response.json()) };
  };
  const ada = () => tieline.world.people.ada.token;
  const general = () => tieline.world.channels.general.id;
  const history = async () => (await call('GET', `/channels/${general()}/messages`, ada())).messages;

  it('has people, channels, a bot and a webhook that work', async () => {
    const { people, bot, webhook } = tieline.world;
    expect((await call('GET', '/client/me', people.ben.token)).user.display_name).toBe('Ben');
    expect((await call('GET', '/bot/me', bot.token)).bot.event_delivery_mode).toBe('poll');
    expect((await call('GET', '/operator/spaces', tieline.operatorToken)).spaces).toHaveLength(1);
    const content = { conversation_id: general(), content: 'Hello' };
    expect(await call('POST', '/bot/messages', bot.token, content)).toMatchObject({ status: 200 });
    const unsigned = await fetch(tieline.url + webhook.path, { method: 'POST', body: '{"text":"Hi"}' });
    expect(unsigned.status).toBe(401);
  });

  it('is the product whole: bundling has renamed nothing, and files are found beside their originals', async () => {
    const described = /** @type {any} */ (await (await fetch(`${tieline.url}/api/openapi.json`)).json());
    const kept = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
    expect(described.paths).toEqual(kept.paths);
    expect(described.components.schemas).toEqual(kept.components.schemas);
    for (const path of ['/api/docs', '/api/docs/swagger-ui.css'])
      expect((await fetch(tieline.url + path)).status).toBe(200);
  });

  it('knows of every column that says when something is due', async () => {
    const database = new pg.Client({ connectionString: tieline.databaseUrl });
    await database.connect();
    const { rows } = await database.query(
      `SELECT DISTINCT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
       JOIN pg_class t ON t.relname = c.table_name AND NOT t.relispartition
       WHERE c.table_schema = 'public' AND c.data_type LIKE 'timestamp%' AND (c.column_name ~ '(^|_)(due|until|expires|try|check)_at$'
         OR c.column_name ~ '_(until|after)$') ORDER BY name`,
    );
    await database.end();
    const known = [DUE, UNDER_WAY].flatMap((tables) =>
      Object.entries(tables).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
    );
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('tries a delivery again as soon as time has been moved', async () => {
    receiver.statuses.push(503, 503);
    const { subscription } = await call(
      'POST',
      '/admin/outgoing_webhooks',
      tieline.world.people.owner.token,
      {
        name: 'Receiver',
        url: receiver.url,
        event_types: ['MESSAGE_CREATED'],
      },
    );
    await call('POST', `/client/conversations/${general()}/messages`, ada(), { text: 'again and again' });
    for (const attempts of [1, 2, 3]) {
      await until(async () => {
        const path = `/admin/outgoing_webhooks/${subscription.id}/deliveries`;
        const { deliveries } = await call('GET', path, tieline.world.people.owner.token);
        return deliveries?.[0]?.attempts === attempts;
      }, `there were ${attempts} attempts`);
      if (attempts < 3) await tieline.advance('1h');
    }
    expect(receiver.count).toBe(3);
    await call('DELETE', `/admin/outgoing_webhooks/${subscription.id}`, tieline.world.people.owner.token);
  });

  it('reminds people', async () => {
    const text = '/remind here in 3h take the bread out';
    expect(await call('POST', `/client/conversations/${general()}/commands`, ada(), { text })).toMatchObject({
      status: 200,
    });
    await tieline.advance('2h');
    const reminded = async () => (await history()).some((message) => /take the bread out/.test(message.text));
    expect(await reminded()).toBe(false);
    await tieline.advance('1h');
    await until(reminded, 'the reminder came');
  });

  it('lets agent runs expire', async () => {
    const { bot } = tieline.world;
    const { id } = (await history()).find(({ author_type: type }) => type === 'user');
    const begun = await call('POST', '/bot/agent_runs', bot.token, {
      idempotency_key: 'run-1',
      conversation_id: general(),
      trigger_message_id: id,
    });
    const status = async () =>
      (await call('GET', `/bot/agent_runs/${begun.agent_run.id}`, bot.token)).agent_run.status;
    await tieline.advance('31m');
    await until(async () => (await status()) === 'expired', 'the run expired');
  });

  it('ends statuses, keeps prompts, titles and feedback, and tells of an opened chat again', async () => {
    const { bot } = tieline.world;
    const place = `/bot/conversations/${general()}`;
    const prompts = [{ title: 'Status', message: 'What is new?' }];
    const elements = [{ type: 'feedback_buttons', action_id: 'good' }];
    const metadata_json = JSON.stringify({ version: 1, blocks: [{ type: 'context_actions', elements }] });
    const { message_id: id } = await call('POST', '/bot/messages', bot.token, {
      conversation_id: general(),
      content: 'An answer',
      metadata_json,
    });
    expect((await call('PUT', `${place}/status`, bot.token, { text: 'is reading' })).status).toBe(200);
    expect((await call('PUT', `${place}/prompts`, bot.token, { prompts })).status).toBe(200);
    expect((await call('PATCH', `/bot/threads/${id}`, bot.token, { title: 'Answers' })).status).toBe(200);
    const answer = async () => (await history()).find((message) => message.id === id);
    const [{ signed_token }] = JSON.parse((await answer()).metadata_json).blocks[0].elements;
    await call('POST', `/client/messages/${id}/interactions`, ada(), {
      action_id: 'good',
      feedback: 'positive',
      signed_token,
    });
    const { conversation_id } = await call('POST', '/client/dm', ada(), { user_id: bot.id });
    const open = () => call('PUT', '/client/focus', ada(), { conversation_id });
    const openings = async () =>
      (await call('GET', '/bot/events?cursor=&limit=200', bot.token)).events.filter(
        ({ event_type: type }) => type === 'DM_OPENED',
      ).length;
    await open();
    await open();
    await until(async () => (await openings()) === 1, 'the bot was told');
    await tieline.advance('3m');
    await open();
    await until(async () => (await openings()) === 2, 'the bot was told again');
    const database = new pg.Client({ connectionString: tieline.databaseUrl });
    await database.connect();
    const { rows } = await database.query('SELECT 1 FROM bot_statuses WHERE expires_at > now()');
    await database.end();
    expect(rows).toEqual([]);
    const shown = await call('GET', `/client/conversations/${general()}/prompts`, ada());
    expect(shown.prompts).toMatchObject([{ bot_id: bot.id, prompts }]);
    expect(await answer()).toMatchObject({
      thread_title: 'Answers',
      feedback: { positive: 1, negative: 0, mine: 'positive' },
    });
  });

  it('lets forms expire', async () => {
    const { bot } = tieline.world;
    const button = { type: 'button', action_id: 'open', text: 'Open' };
    await call('POST', '/bot/messages', bot.token, {
      conversation_id: general(),
      content: 'A form',
      metadata_json: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [button] }] }),
    });
    const message = (await history()).findLast(({ metadata_json: json }) => json?.includes('signed_token'));
    const [element] = JSON.parse(message.metadata_json).blocks[0].elements;
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${ada()}` };
    const stream = await fetch(`${tieline.url}/api/v1/client/stream`, { headers, signal: leave.signal });
    const clicked = await call('POST', `/client/messages/${message.id}/interactions`, ada(), {
      action_id: 'open',
      signed_token: element.signed_token,
    });
    const form = { open_modal: { title: 'Late', fields: [] } };
    await call('POST', `/bot/interactions/${clicked.interaction_id}/respond`, bot.token, form);
    let heard = '';
    for await (const part of /** @type {ReadableStream} */ (stream.body).pipeThrough(
      new TextDecoderStream(),
    )) {
      heard += part;
      if (/"modal_token":"[^"]+"/.test(heard)) break;
    }
    leave.abort();
    const submit = () =>
      call('POST', `/client/modals/${heard.match(/"modal_token":"([^"]+)"/)?.[1]}/submit`, ada(), {
        values: {},
      });
    await tieline.advance('16m');
    expect((await submit()).status).toBe(410);
  });

  it('starts a program again where it was', async () => {
    const { url } = tieline;
    await tieline.restart('api', 'SIGKILL');
    expect(tieline.url).toBe(url);
    expect((await call('GET', '/client/me', ada())).status).toBe(200);
  });
});

it('ends with the process that started it, even when that is killed, and leaves nothing behind', async () => {
  const run = script(`
    import { startSimulator } from './simulator/simulator.mjs';
    const { pids, folder } = await startSimulator();
    console.log(JSON.stringify({ pids, folder }));
    console.log('started');
    setInterval(() => undefined, 1000);
  `);
  await run.said('started');
  const { pids, folder } = JSON.parse(run.output().match(/^\{.*\}$/m)?.[0] ?? '');
  expect(pids.map(isGone)).toEqual([false, false, false]);
  expect(await readdir(folder)).toContain('data');
  run.kill('SIGKILL');
  await run.ended;
  await until(() => pids.every(isGone) && !existsSync(folder), 'everything was gone');
});

async function startReceiver() {
  const receiver = { statuses: [], count: 0 };
  receiver.server = createServer((request, response) => {
    receiver.count += 1;
    request.resume().once('end', () => response.writeHead(receiver.statuses.shift() ?? 200).end());
  });
  await new Promise((ready) => receiver.server.listen(0, '127.0.0.1', ready));
  receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
  return receiver;
}
