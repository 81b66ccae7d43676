import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, expectOk, Tieline } from '../tieline.js';
import { Scene } from './scene.js';
import type { Fields, Via } from './scene.js';
import { StableAddress } from './stable-address.js';

const FORTY_LINES = 'examples/forty-lines/bot.mjs';
const COUNTING = 'apps/e2e/src/sdk/counting-bot.mjs';
const VERSION = { name: 'version', type: 'string', required: true, autocomplete: true };
const COMMANDS = [
  { name: 'deploy', options: [VERSION] },
  { name: 'tally' },
  { name: 'slow' },
  { name: 'twice' },
];
/** Delivery modes that deliver events. */
const EVENTFUL: Via[] = ['poll', 'socket', 'push'];

let tieline: Tieline;
let address: StableAddress;
let api: AppProcess;
let folder: string;
let scenes: Scene[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-bots-'));
  tieline = await Tieline.create({
    RATE_POLL_PER_SECOND: '1000',
    // Longer than a bot takes on a busy machine before it says that it answers later.
    CALLBACK_TIMEOUT_MS: '60000',
    DELIVERY_TIMEOUT_MS: '60000',
    DELIVERY_BACKOFF_INITIAL_MS: '200',
    DELIVERY_BACKOFF_MAX_MS: '1000',
  });
  address = await StableAddress.open();
  [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  address.target = new URL(api.url);
});
beforeEach(() => {
  scenes = [];
});
afterEach(() => Promise.all(scenes.map((scene) => scene.close())));
afterAll(async () => {
  await tieline?.close();
  await address?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function sceneBy(via: Via): Promise<Scene> {
  const scene = await Scene.make({ tieline, url: address.url, folder }, via, COMMANDS);
  scenes.push(scene);
  return scene;
}

/** The same test in every delivery mode, concurrently. */
const byAll = (forms: Via[], act: (scene: Scene) => Promise<void>): Promise<unknown> =>
  Promise.all(forms.map(async (via) => act(await sceneBy(via))));

test.each<Via>(['poll', 'socket', 'push', 'callback'])(
  'forty lines by %s: a command, suggestions, buttons, a form with errors, a late answer',
  async (via) => {
    const scene = await sceneBy(via);
    await scene.start(FORTY_LINES);
    const to = `client/conversations/${scene.workspace.channels[0]}/commands/options`;
    const typing = { command: 'deploy', option: 'version', typed: '1.4' };
    expect((await scene.asPerson('POST', to, typing)).choices).toEqual([
      { name: '1.4.1', value: '1.4.1' },
      { name: '1.4.2', value: '1.4.2' },
    ]);
    const { result } = await scene.type('/deploy version:1.4.2');
    expect(result).toBe(via === 'poll' ? 'ack' : 'in_channel');
    const card = await scene.shown('Deploy 1.4.2?');
    const { modal_token: token } = await scene.answered(await scene.click(card, 'deploy'), 'modal.open');
    const submit = (ticket: string): Promise<Fields> =>
      scene.asPerson('POST', `client/modals/${token}/submit`, { values: { ticket } });
    const fault = await scene.answered(await submit('soon'), 'modal.errors');
    expect(fault.errors).toEqual({ ticket: 'Looks like OPS-4711' });
    await submit('OPS-7');
    await scene.wasShown(card, 'Deploying 1.4.2 …');
    expect(await scene.shown('Deployed 1.4.2 for OPS-7')).toMatchObject({ id: card.id });
    expect(await scene.allWritten()).toEqual(['Deployed 1.4.2 for OPS-7']);
    await scene.type('/deploy version:1.5.0');
    await scene.click(await scene.shown('Deploy 1.5.0?'), 'drop');
    // Deleted messages have no text.
    await eventually(async () => expect(await scene.texts()).toEqual(['Deployed 1.4.2 for OPS-7', '']));
  },
);

test('the bot in README.md answers a command and updates its message after a click', async () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  // Inside the repository, where `@tieline/sdk` resolves.
  const script = `tmp/readme-bot-${process.pid}.mjs`;
  const place = new URL(`../../../../${script}`, import.meta.url);
  mkdirSync(new URL('.', place), { recursive: true });
  writeFileSync(place, code);
  try {
    const scene = await sceneBy('poll');
    await scene.start(script);
    await scene.type('/deploy 1.4.2');
    const card = await scene.shown('Deploy 1.4.2?');
    await scene.click(card, 'deploy');
    expect(await scene.shown('Deployed 1.4.2')).toMatchObject({ id: card.id });
  } finally {
    rmSync(place);
  }
});

describe('kill -9', () => {
  const sent = new Map<Scene, Record<string, string[]>>();

  const count = async (scene: Scene, numbers: number[]): Promise<void> => {
    const all = sent.get(scene) ?? Object.fromEntries(scene.workspace.channels.map((id) => [id, []]));
    sent.set(scene, all);
    for (const number of numbers) {
      const channel = scene.workspace.channels[number % 2]!;
      await scene.say(`count ${number}`, channel);
      all[channel]!.push(`seen ${number}`);
    }
  };
  const hasWritten = (scene: Scene, least: number): Promise<unknown> =>
    eventually(async () => expect((await scene.allWritten()).length).toBeGreaterThanOrEqual(least), {
      timeoutMs: 120_000,
    });
  const total = (scene: Scene): number => Object.values(sent.get(scene)!).flat().length;

  test('of bot and api: each message is answered once, in order where the mode has one', async () => {
    await byAll(EVENTFUL, async (scene) => {
      await scene.start(COUNTING);
      // Ten consecutive failed pushes would open the breaker for 30 seconds.
      await count(scene, range(0, scene.via === 'push' ? 6 : 16));
      await hasWritten(scene, 3);
      await scene.bot!.end('SIGKILL');
      await count(scene, range(20, 22));
      await scene.start(COUNTING);
      await count(scene, range(22, 30));
      await hasWritten(scene, 8);
    });
    await api.kill('SIGKILL');
    api = await tieline.start('api');
    address.target = new URL(api.url);
    for (const scene of scenes) {
      await count(scene, range(30, 36));
      await hasWritten(scene, total(scene));
      // A second answer would have arrived before the one to a later question.
      await count(scene, [50]);
      await scene.shown('seen 50');
      const inOrder = (all: Record<string, string[]>): string[][] =>
        Object.values(all).map((texts) => (scene.via === 'push' ? texts.toSorted() : texts));
      expect([scene.via, inOrder(await scene.written())]).toEqual([scene.via, inOrder(sent.get(scene)!)]);
    }
  });

  test.each<Via>(['poll', 'socket'])(
    'of a bot by %s: missed requests are answered after its restart',
    async (via) => {
      const scene = await sceneBy(via);
      await scene.start(COUNTING);
      await scene.type('/tally 1');
      await scene.shown('tallied 1');
      await scene.bot!.end('SIGKILL');
      expect(await scene.type('/tally 2')).toMatchObject({ result: 'ack' });
      await scene.start(COUNTING);
      await scene.shown('tallied 2');
      expect(await scene.allWritten()).toEqual(['tallied 1', 'tallied 2']);
    },
  );

  test('of a bot working after `later()`: the restarted bot does the work once', () =>
    byAll(['poll', 'socket'], async (scene) => {
      await scene.start(COUNTING);
      expect(await scene.type('/long')).toMatchObject({ result: 'ack' });
      await eventually(() => expect(scene.output).toContain('long begun'));
      await scene.bot!.end('SIGKILL');
      await scene.start(COUNTING);
      await scene.shown('long done');
      expect(await scene.allWritten()).toEqual(['long done']);
    }));

  test('of a bot with callbacks: the command fails immediately and can be repeated', async () => {
    const scene = await sceneBy('callback');
    await scene.start(COUNTING);
    await scene.bot!.end('SIGKILL');
    expect(await scene.type('/tally 1')).toMatchObject({ result: 'ephemeral' });
    await scene.start(COUNTING);
    expect(await scene.type('/tally 1')).toMatchObject({ result: 'in_channel', text: 'tallied 1' });
    expect(await scene.allWritten()).toEqual(['tallied 1']);
  });
});

test('an event that cannot be handled is dropped, and later ones are handled', () =>
  byAll(EVENTFUL, async (scene) => {
    await scene.start(COUNTING);
    await scene.say('poison');
    await scene.say('count 1');
    await scene.shown('seen 1');
    await eventually(() => expect(scene.output).toContain('given up: poison (cannot handle this)'));
    expect(scene.output).toMatch(/dropped MESSAGE_CREATED [0-9a-f-]{36}: cannot handle this/);
  }));

test('a stopping bot finishes its current work and leaves the rest to the next one', () =>
  byAll(EVENTFUL, async (scene) => {
    await scene.start(COUNTING);
    await scene.say('take your time');
    await eventually(() => expect(scene.output).toContain('begun'));
    await scene.say('count 1');
    expect([scene.via, await scene.bot!.end('SIGTERM')]).toEqual([scene.via, 0]);
    expect(await scene.allWritten()).toEqual(['taken']);
    await scene.start(COUNTING);
    await scene.shown('seen 1');
    expect(scene.output).not.toContain('begun');
    expect((await scene.allWritten()).toSorted()).toEqual(['seen 1', 'taken']);
  }));

test('a slow handler answers late', () =>
  byAll(['callback', 'socket', 'poll'], async (scene) => {
    await scene.start(COUNTING);
    expect(await scene.type('/slow')).toMatchObject({ result: 'ack' });
    const { id } = await scene.shown('slow but sure');
    await eventually(() => expect(scene.output).toContain(`posted ${id}`));
    expect(await scene.allWritten()).toEqual(['slow but sure']);
  }));

test('the first of two answers is immediate, and the second is late', () =>
  byAll(['callback', 'socket', 'poll'], async (scene) => {
    await scene.start(COUNTING);
    // A bot that answers after its handler has ended answers `ack` in time, because it takes long.
    expect(await scene.type('/twice')).toMatchObject({ result: scene.via === 'poll' ? 'ack' : 'in_channel' });
    await scene.shown('two');
    expect(await scene.allWritten()).toEqual(['one', 'two']);
  }));

describe('a run', () => {
  const runOf = async (scene: Scene): Promise<Fields> => {
    const found = await tieline.sql.query<Fields>(
      'SELECT id, status, widget_id AS "widgetId", public_text AS text FROM agent_runs WHERE bot_id = $1',
      [scene.workspace.botId],
    );
    return found.rows[0]!;
  };

  test('with a task is answered in pieces, completes, and is reviewed', async () => {
    const scene = await sceneBy('poll');
    await scene.start(COUNTING);
    await scene.say('why?');
    await eventually(() => expect(scene.output).toContain('answered: Because of that.'));
    const { widgetId, ...run } = await runOf(scene);
    expect(run).toMatchObject({ status: 'completed', text: 'Because of that.' });
    await scene.asPerson('POST', `client/execution_tasks/${widgetId}/review`, { decision: 'accepted' });
    await eventually(() => expect(scene.output).toContain('reviewed: accepted'));
  });

  test('that is ended elsewhere aborts the work', async () => {
    const scene = await sceneBy('socket');
    await scene.start(COUNTING);
    await scene.say('why ever?');
    const { id } = await eventually(async () => {
      const run = await runOf(scene);
      expect(run.text).toBe('Because of that.');
      return run;
    });
    const { botToken } = scene.workspace;
    await expectOk(call(address, 'POST', `/api/v1/bot/agent_runs/${id}/cancel`, botToken));
    await eventually(() => expect(scene.output).toContain('answered: undefined'));
    expect(await runOf(scene)).toMatchObject({ status: 'cancelled' });
  });

  // The next report would be two minutes later.
  test('that a person stops aborts work that reports nothing, in every delivery mode', () =>
    byAll(EVENTFUL, async (scene) => {
      await scene.start(COUNTING);
      await scene.say('work in silence');
      const { id } = await eventually(async () => {
        const run = await runOf(scene);
        expect(run).toMatchObject({ status: expect.any(String) });
        return run;
      });
      await scene.asPerson('POST', `client/agent_runs/${id}/stop`);
      await eventually(() => expect(scene.output).toContain('stopped: true\nanswered: \n'));
      expect(await runOf(scene)).toMatchObject({ status: 'completed' });
    }));
});

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);
