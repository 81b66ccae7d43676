import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sign } from '@tieline/sdk';
import { tampered } from '@tieline/testing';
import { run } from '../cli.js';
import type { Terminal } from '../terminal/terminal.js';

const SECRET = 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=';
const BODY = '{"a": 1}';

let folder: string;
let lines: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tieline-verify-'));
  const headers = Object.entries(await sign({ scheme: 'outgoing', secret: SECRET, body: BODY }));
  lines = headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  await writeFile(path.join(folder, 'body'), BODY);
  await writeFile(path.join(folder, 'secret'), `${SECRET}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `tieline verify` with the body piped in. */
async function verify(
  piped: string,
  argv: string[],
  env: Record<string, string> = { TIELINE_SECRET: SECRET },
): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const terminal = {
    ...{ env, folder, signal: new AbortController().signal, progress: () => undefined },
    ...{ out: (line: string) => said.push(line), err: (line: string) => said.push(line) },
    ...{ input: () => Promise.resolve(piped), ask: () => Promise.resolve('') },
  } as unknown as Terminal;
  const code = await run(['verify', ...lines, ...argv], terminal);
  return { code, said: said.join('\n') };
}

test.each([
  ['a valid signature', BODY, [], 0, 'valid (scheme outgoing)'],
  ['a body from a file', '', ['--body', 'body'], 0, 'is valid'],
  ['a reformatted body', '{"a":1}', [], 7, 'is invalid'],
  ['an extra line break', `${BODY}\n`, [], 7, 'line break'],
  [
    'another scheme',
    BODY,
    ['--scheme', 'incoming_native'],
    7,
    'most likely: it is signed with the scheme outgoing',
  ],
  ['an unknown scheme', BODY, ['--scheme', 'mine'], 2, 'outgoing'],
  ['too old', BODY, ['--tolerance', '0s', '-H', 'x-service-timestamp: 1'], 7, 'too old|seconds old'],
  ['a missing file', '', ['--body', 'nowhere'], 4, 'there is no file'],
])('%s', async (_, piped, argv, code, words) => {
  expect(await verify(piped, argv)).toEqual({
    code,
    said: expect.stringMatching(words.replace(/[()]/g, '.')),
  });
});

test('a different secret', async () => {
  const { code, said } = await verify(BODY, [], { TIELINE_SECRET: tampered(SECRET) });
  expect([code, said]).toEqual([7, expect.stringContaining('with another secret')]);
});

test('the secret comes from a file or a prompt, never from an argument', async () => {
  expect(await verify(BODY, ['--secret-file', 'secret'], {})).toMatchObject({ code: 0 });
  expect(await verify(BODY, [], {})).toEqual({ code: 2, said: expect.stringContaining('TIELINE_SECRET') });
});
