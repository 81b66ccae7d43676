import { execFile, spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { lockDataDir, reclaimChildren, recordChildren } from '../start/lock.mjs';
import { processIdentity } from '../process-identity.mjs';
import { temporaryFolder } from './node-script.mjs';

const copied = (from, to) => promisify(execFile)('cp', ['-a', from, to]);

let dir;
let program;

beforeEach(async () => {
  dir = await temporaryFolder();
  program = spawn('sleep', ['600'], { stdio: 'ignore' });
});
afterEach(async () => {
  program.kill('SIGKILL');
  for (const folder of [dir, `${dir}-copy`, `${dir}-moved`])
    await rm(folder, { recursive: true, force: true });
});

it('a copy of a folder in use is not in use itself, and leaves the programs of the original alone', async () => {
  await lockDataDir(dir);
  recordChildren(dir, [program.pid]);
  await copied(dir, `${dir}-copy`);
  expect(await reclaimChildren(`${dir}-copy`)).toBe(0);
  expect(processIdentity(program.pid)).toBeDefined();
  const unlock = await lockDataDir(`${dir}-copy`);
  await unlock();
  await expect(lockDataDir(dir)).rejects.toThrow(`already runs on ${dir}`);
});

it('a folder that is renamed while it is in use stays in use, and its programs are found', async () => {
  await lockDataDir(dir);
  recordChildren(dir, [program.pid]);
  await rename(dir, `${dir}-moved`);
  await expect(lockDataDir(`${dir}-moved`)).rejects.toThrow(`already runs on ${dir}-moved`);
  const ended = new Promise((resolve) => program.once('exit', resolve));
  expect(await reclaimChildren(`${dir}-moved`)).toBe(1);
  await ended;
});
