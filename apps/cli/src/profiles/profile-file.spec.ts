import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProfileFile } from './profile-file.js';

let folder: string;
let file: ProfileFile;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-profiles-'));
  file = new ProfileFile({ XDG_CONFIG_HOME: folder });
  // The most permissive umask: any restriction comes from the code under test.
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = async (place: string): Promise<string> => ((await stat(place)).mode & 0o777).toString(8);
const signIn = (token: string) =>
  file.change(({ profiles }) => (profiles.default = { url: 'http://127.0.0.1:3000', token }));

test('tokens are in a file and folder that only the user can access', async () => {
  await signIn('tlu_one');
  expect([await modeOf(path.dirname(file.place)), await modeOf(file.place)]).toEqual(['700', '600']);
});

test('the next change restricts a file that others could read', async () => {
  await signIn('tlu_one');
  await chmod(file.place, 0o644);
  await signIn('tlu_two');
  expect(await modeOf(file.place)).toBe('600');
  expect((await file.read()).profiles.default?.token).toBe('tlu_two');
});

test('a file left by a killed process is replaced, not appended to', async () => {
  await signIn('tlu_one');
  await writeFile(`${file.place}.${process.pid}`, 'unfinished', { mode: 0o666 });
  await signIn('tlu_two');
  expect(await modeOf(file.place)).toBe('600');
  expect(await readdir(path.dirname(file.place))).toEqual(['profiles.json']);
});
