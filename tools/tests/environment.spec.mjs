import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { appEnvironment, SECRET_FILES } from '../start/environment.mjs';
import { temporaryFolder } from './node-script.mjs';

let dataDir;
beforeEach(async () => {
  dataDir = await temporaryFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const environment = (given) => appEnvironment({ given, dataDir, databaseUrl: 'postgres://…' });

it('secrets are generated once, into files that only their owner can read', async () => {
  const first = await environment({});
  expect(Buffer.from(String(first.SECRET_KEY), 'base64')).toHaveLength(32);
  expect(first.OPERATOR_TOKEN?.length).toBeGreaterThanOrEqual(32);
  expect(await environment({})).toEqual(first);
  for (const [name, file] of Object.entries(SECRET_FILES)) {
    expect((await readFile(join(dataDir, file), 'utf8')).trim()).toBe(first[name]);
    expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
  }
});

it('they are kept where nothing was before', async () => {
  dataDir = join(dataDir, 'not', 'there');
  const first = await environment({});
  expect(await environment({})).toEqual(first);
});

it('none is generated in production', async () => {
  const { SECRET_KEY, OPERATOR_TOKEN } = await environment({ NODE_ENV: 'production' });
  expect([SECRET_KEY, OPERATOR_TOKEN]).toEqual([undefined, undefined]);
});
