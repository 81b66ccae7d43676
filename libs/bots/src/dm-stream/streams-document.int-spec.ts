import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram, eventually } from '@tieline/testing';
import { DmHarness } from '../testing/dm-harness.js';
import type { DmBot } from '../testing/dm-harness.js';

const document = readFileSync(new URL('../../../../docs/streams.md', import.meta.url), 'utf8');

function block(language: string): string {
  const match = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (!match?.[1]) throw new Error(`docs/streams.md has no ${language} block`);
  return match[1];
}

// Python is optional on a machine; Node.js is always available.
const CLIENTS = [
  { language: 'js', command: process.execPath, file: 'client.mjs' },
  ...(spawnSync('python3', ['--version']).status === 0
    ? [{ language: 'python', command: 'python3', file: 'client.py' }]
    : []),
];

let harness: DmHarness;
const sockets: Socket[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'tieline-stream-clients-'));
beforeAll(async () => {
  harness = await DmHarness.start(1);
  (harness.api.app.getHttpServer() as Server).on('connection', (socket: Socket) => sockets.push(socket));
});
afterAll(async () => {
  await harness?.close();
  rmSync(folder, { recursive: true });
});

describe.each(CLIENTS)('the published DM stream client in $language', ({ language, command, file }) => {
  let client: ChildProgram;
  let bot: DmBot;
  const got = (): string[] =>
    client.output
      .split('\n')
      .filter((line) => line.startsWith(harness.ann.id))
      .map((line) => line.slice(harness.ann.id.length + 2));

  beforeAll(async () => {
    bot = await harness.bot();
    writeFileSync(path.join(folder, file), block(language));
    await harness.say(bot, 'waited');
    await harness.planned();
    client = new ChildProgram(command, [path.join(folder, file)], {
      env: { ...process.env, BASE_URL: harness.api.url, TIELINE_TOKEN: bot.token },
    });
  });
  afterAll(() => client?.end());

  test('receives waiting and live messages once, over a broken connection, and ends when the bot is disabled', async () => {
    await eventually(() => got().includes('waited'));
    await harness.say(bot, 'live, with ünïcödé 🙂');
    await eventually(() => got().length === 2);
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually(() => harness.api.streams.count === 0);
    await harness.say(bot, 'meanwhile');
    await eventually(() => got().length === 3);
    await harness.say(bot, 'again live');
    await eventually(() => got().length === 4);
    expect(got()).toEqual(['waited', 'live, with ünïcödé 🙂', 'meanwhile', 'again live']);
    await harness.api.call('PATCH', `/api/v1/admin/bots/${bot.id}`, harness.space.owner.token, {
      is_active: false,
    });
    expect(await client.exited).toBe(1);
  });
});
