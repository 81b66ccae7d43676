import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@tieline/testing';
import { RecordingTerminal } from './recording-terminal.js';
import { Typing } from './typing.js';

let folder: string;
let env: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-new-bot-'));
  env = { HOME: folder };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pythonRuns = () =>
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

const LANGUAGES = ['javascript', ...(pythonRuns() ? ['python'] : [])];
if (LANGUAGES.length === 1)
  process.stderr.write('SKIPPED: no python3 of 3.11 or newer; the bot in Python is not tried out\n');

describe('a new bot', () => {
  /** Creates the bot, runs it and talks to it, as a new user would. */
  async function tryOut(language: string): Promise<void> {
    const own = {
      ...env,
      TIELINE_PROFILES: path.join(folder, `${language}.json`),
      PATH: process.env.PATH ?? '',
    };
    const init = new RecordingTerminal(own, folder);
    const { json: bot } = await init.run([
      '--json',
      'bot',
      'init',
      `new-${language}`,
      '--language',
      language,
    ]);
    const typing = new Typing();
    const place = new RecordingTerminal(own, bot.folder, '', typing);
    const ended = place.run(['dev']);
    const said = (text: string) =>
      eventually(
        () => {
          const all = [...place.written, ...place.errors].join('\n');
          if (!all.includes(text)) throw new Error(`never said "${text}" but:\n${all}`);
        },
        { timeoutMs: 180_000 },
      );
    await said('Type /hello');
    const elsewhere = (...argv: string[]) =>
      new RecordingTerminal(own, folder).run(['--json', '--profile', 'dev', ...argv]);
    // Waits for the bot, so that the documented steps get an answer.
    expect((await elsewhere('command', 'list')).out).toContain('deploy');
    for (const [line, answer] of [
      ['prompts', 'no bot suggests anything here'],
      ['/hello', 'Hello, <@'],
      ['/deploy web', 'Deploy web?'],
      ['click deploy', 'Why now?'],
      ['submit reason=no', 'A few words more'],
      ['submit reason="it is urgent"', 'web is deployed: it is urgent'],
    ] as const) {
      typing.type(line);
      await said(answer);
    }
    typing.type('dm');
    await said('in the direct chat with Helper');
    typing.type('quit');
    expect(await ended).toMatchObject({ code: 0 });
    expect((await elsewhere('whoami')).code).toBe(2);
  }

  it('answers in its own simulator in every language, and cleans up', async () => {
    await Promise.all(LANGUAGES.map(tryOut));
  });
});
