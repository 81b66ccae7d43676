import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, EventStreamClient, freePort } from '@tieline/testing';
import type { AppProcess, ChildProgram } from '@tieline/testing';
import { shareTieline } from '../share-tieline.js';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';
import { inRepository, startPython, whyNoPython } from './start-python.js';

const missing = whyNoPython();

if (missing === undefined) {
  test('the package’s own tests', async () => {
    const tests = startPython(['-m', 'unittest', '-q'], {});
    expect([await tests.exited, tests.output]).toEqual([0, expect.stringContaining('OK')]);
  });

  describe('against the product', () => testAgainstTheProduct());
} else {
  process.stderr.write(`SKIPPED: nothing of sdk/python is tested: ${missing}\n`);
  test('sdk/python is not tested: Python is not installed', () => expect(missing).not.toBe(''));
}

function testAgainstTheProduct(): void {
  let tieline: Tieline;
  let api: AppProcess;
  let folder: string;
  let workspace: Workspace;
  let stream: EventStreamClient;
  let bot: ChildProgram | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'tieline-python-'));
    ({ tieline, api } = await shareTieline());
  });
  beforeEach(async () => {
    workspace = await createWorkspace(api);
    stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, workspace.ownerToken);
  });
  afterEach(async () => {
    stream.close();
    await bot?.end();
    bot = undefined;
  });
  afterAll(async () => {
    await tieline?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (file: string, env: Record<string, string>): ChildProgram =>
    (bot = startPython([inRepository(file)], {
      TIELINE_URL: api.url,
      TIELINE_TOKEN: workspace.botToken,
      TIELINE_CURSOR_FILE: path.join(folder, workspace.botId),
      ...env,
    }));
  const person = async (method: string, to: string, body?: object) =>
    (await call(api, method, `/api/v1/${to}`, workspace.ownerToken, body)).body;
  const submit = (token: string, ticket: string) =>
    person('POST', `client/modals/${token}/submit`, { values: { ticket } });

  /** Waits for a message with this text. @returns the newest one */
  const shown = (words: string): Promise<Record<string, any>> =>
    eventually(async () => {
      const { messages } = await person('GET', `channels/${workspace.channels[0]}/messages`);
      const found = (messages as Record<string, any>[]).findLast(({ text }) => text.includes(words));
      if (!found) throw new Error(`no message says ${words}; the bot wrote: ${bot?.output}`);
      return found;
    });

  async function texts(): Promise<string[]> {
    const { messages } = await person('GET', `channels/${workspace.channels[0]}/messages?limit=200`);
    return (messages as { text: string }[]).map(({ text }) => text);
  }

  /** Runs the command as soon as the bot has registered it. */
  const type = (text: string): Promise<Record<string, any>> =>
    eventually(async () => {
      const answer = await person('POST', `client/conversations/${workspace.channels[0]}/commands`, { text });
      if (!answer.ok) throw new Error(`${answer.error}; the bot wrote: ${bot?.output}`);
      return answer;
    });

  async function click(message: Record<string, any>, actionId: string): Promise<Record<string, any>> {
    const { blocks } = JSON.parse(message.metadata_json) as {
      blocks: { elements?: Record<string, any>[] }[];
    };
    const elements = blocks.flatMap((block) => block.elements ?? []);
    const { signed_token: token } = elements.find(({ action_id: id }) => id === actionId)!;
    const body = { action_id: actionId, signed_token: token };
    return person('POST', `client/messages/${message.id}/interactions`, body);
  }

  /** Returns the answer, or the event on the stream instead. */
  async function told(answer: Record<string, any>, kind: string): Promise<Record<string, any>> {
    if (answer.result !== 'queued') return answer;
    const found = (): Record<string, any> | undefined => stream.events.find(({ event }) => event === kind);
    await stream.until(() => found() !== undefined);
    return found()!;
  }

  const FAULT = { ticket: 'Looks like OPS-4711' };
  const DEPLOYED = 'Deployed 1.4.2 for OPS-1';

  test.each(['poll', 'socket'])(
    'the bot of forty lines by %s loses nothing when killed twice',
    async (via) => {
      start('examples/forty-lines/bot.py', { TIELINE_VIA: via });
      await type('/deploy version:1.4.2');
      const card = await shown('Deploy 1.4.2?');
      await bot!.end();
      const clicked = await click(card, 'deploy');
      expect(clicked).toMatchObject({ result: 'queued' });
      start('examples/forty-lines/bot.py', { TIELINE_VIA: via });
      const { modal, modal_token: token } = await told(clicked, 'modal.open');
      expect(modal).toMatchObject({ title: 'Deploy 1.4.2', fields: [{ id: 'ticket' }] });
      expect((await told(await submit(token, 'nonsense'), 'modal.errors')).errors).toEqual(FAULT);
      const submitted = submit(token, 'OPS-1');
      await stream.until(
        ({ events }) => events.some((event) => JSON.stringify(event).includes('Deploying 1.4.2 …')),
        20_000,
      );
      await bot!.end(); // while it is working: a retry finds the earlier answers
      start('examples/forty-lines/bot.py', { TIELINE_VIA: via });
      await shown(DEPLOYED);
      await submitted;
      await bot!.hasWritten(new RegExp(`ready: deploy by ${via}`));
      expect(await bot!.end('SIGTERM')).toBe(0);
      expect(await texts()).toEqual([DEPLOYED]);
    },
  );

  test('the same bot with callbacks', async () => {
    const port = await freePort();
    const callback = { callback_url: `http://127.0.0.1:${port}/` };
    const asBot = (method: string, to: string, body: object) =>
      expectOk(call(api, method, `/api/v1/${to}`, workspace.botToken, body));
    const clicks = await asBot('PATCH', 'bot/interactive_config', callback);
    const options = [{ name: 'version', type: 'string', required: true, autocomplete: true }];
    const command = await asBot('POST', `bots/${workspace.botId}/commands`, {
      name: 'deploy',
      options,
      ...callback,
    });
    start('examples/forty-lines/bot.py', {
      TIELINE_VIA: 'callback',
      TIELINE_SECRETS: `${clicks.signing_secret}, ${command.signing_secret}`,
      TIELINE_PORT: String(port),
    });
    await bot!.hasWritten(/ready: deploy by callback/);
    expect((await fetch(callback.callback_url, { method: 'POST', body: '{}' })).status).toBe(401);
    const typing = { command: 'deploy', option: 'version', typed: '1.4' };
    const suggested = await person(
      'POST',
      `client/conversations/${workspace.channels[0]}/commands/options`,
      typing,
    );
    expect(suggested.choices).toEqual([
      { name: '1.4.1', value: '1.4.1' },
      { name: '1.4.2', value: '1.4.2' },
    ]);
    expect(await type('/deploy version:1.4.2')).toMatchObject({ result: 'in_channel' });
    const card = await shown('Deploy 1.4.2?');
    const { modal_token: token } = await click(card, 'deploy');
    expect(await submit(token, 'nonsense')).toMatchObject({ result: 'errors', errors: FAULT });
    expect(await submit(token, 'OPS-1')).toMatchObject({ result: 'update_message', message_id: card.id });
    await shown(DEPLOYED);
    expect(await bot!.end('SIGTERM')).toBe(0);
  });

  test.each(['poll', 'socket', 'push'])(
    'messages by %s are answered once and in order, whichever process is killed',
    async (via) => {
      const port = await freePort();
      const url = { webhook_url: `http://127.0.0.1:${port}/` };
      await expectOk(
        call(api, 'PATCH', `/api/v1/admin/bots/${workspace.botId}`, workspace.ownerToken, {
          event_types: ['MESSAGE_CREATED'],
          ...url,
        }),
      );
      const { signing_secret: secret } = await expectOk(
        call(api, 'POST', '/api/v1/bot/webhook/rotate_secret', workspace.botToken, {}),
      );
      const env = { TIELINE_VIA: via, TIELINE_SECRETS: secret as string, TIELINE_PORT: String(port) };
      const mode = via === 'push' ? 'webhook' : 'poll';
      start('sdk/python/tests/echo_bot.py', env);
      await eventually(async () =>
        expect((await person('GET', `admin/bots/${workspace.botId}`)).bot.event_delivery_mode).toBe(mode),
      );
      const numbers = Array.from({ length: 30 }, (_, number) => number);
      // Ten refused pushes in a row would open the breaker for half a minute, so only few are in
      // flight when the bot is killed.
      const underWay = via === 'push' ? 1 : 5;
      for (const number of numbers) {
        const dies = number > 0 && number % 10 === 0;
        if (dies) {
          await shown(`said ${number - underWay}`);
          await bot!.end();
        }
        await person('POST', `client/conversations/${workspace.channels[0]}/messages`, {
          text: `say ${number}`,
        });
        if (!dies) continue;
        start('sdk/python/tests/echo_bot.py', env);
        if (via === 'push') await bot!.hasWritten(/ready:/);
      }
      const said = async (): Promise<string[]> => (await texts()).filter((text) => text.startsWith('said'));
      const wanted = numbers.map((number) => `said ${number}`);
      await eventually(async () => expect(new Set(await said())).toEqual(new Set(wanted)), {
        timeoutMs: 120_000,
      });
      // Pushes run concurrently: a retried one arrives after later ones.
      expect(via === 'push' ? (await said()).length : await said()).toEqual(via === 'push' ? 30 : wanted);
    },
  );

  test('over a socket a restarted bot does work after `later()` once', async () => {
    const env = { TIELINE_VIA: 'socket' };
    start('sdk/python/tests/echo_bot.py', env);
    await bot!.hasWritten(/ready:/);
    expect(await type('/long')).toMatchObject({ result: 'ack' });
    await bot!.hasWritten(/long begun/);
    await bot!.end();
    start('sdk/python/tests/echo_bot.py', env);
    await shown('long done');
    expect((await texts()).filter((text) => text === 'long done')).toHaveLength(1);
  });

  test('client, files, streams, runs, tasks and webhooks', async () => {
    const { url, signing_secret: secret } = await expectOk(
      call(api, 'POST', '/api/v1/admin/incoming_webhooks', workspace.ownerToken, {
        name: 'python',
        conversation_id: workspace.channels[0],
      }),
    );
    const token = new URL(url as string).pathname;
    const admin = `/api/v1/admin/bots/${workspace.botId}`;
    await expectOk(call(api, 'PATCH', admin, workspace.ownerToken, { event_types: ['MESSAGE_CREATED'] }));
    const tests = startPython(['-m', 'unittest', '-q', 'tests.live'], {
      TIELINE_URL: api.url,
      TIELINE_TOKEN: workspace.botToken,
      OWNER_TOKEN: workspace.ownerToken,
      CHANNEL: workspace.channels[0]!,
      WEBHOOK: `${api.url}${token} ${secret}`,
    });
    expect([await tests.exited, tests.output]).toEqual([0, expect.stringContaining('OK')]);
  });
}
