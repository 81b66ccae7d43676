import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireNode } from '../start/install.mjs';
import { ROOT } from './node-script.mjs';

const read = (path) => readFile(join(ROOT, path), 'utf8');

it('the image is of the Node that the suite also runs on, pinned by digest', async () => {
  const dockerfile = await read('docker/Dockerfile');
  const [, image, version] = /^ARG NODE=(node:([\d.]+)-\S+@sha256:[0-9a-f]{64})$/m.exec(dockerfile) ?? [];
  expect(image).toBeDefined();
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(['${NODE}', '${NODE}']);
  expect(await read('.ci/run')).toContain(`\nnewest_node=${version}\n`);
});

it('engines name what is tested: from the oldest that starts to the line of the image', async () => {
  const [, oldest, beyond] =
    /^>=([\d.]+) <(\d+)$/.exec(JSON.parse(await read('package.json')).engines.node) ?? [];
  const [, newest] = /newest_node=(\d+)/.exec(await read('.ci/run')) ?? [];
  expect(Number(beyond)).toBe(Number(newest) + 1);
  expect(() => requireNode(`${oldest}.0`)).not.toThrow();
  const [major, minor] = oldest.split('.').map(Number);
  expect(() => requireNode(`${major}.${minor - 1}.9`)).toThrow('needs Node.js');
});

it('the oldest PostgreSQL that is tested is the oldest that is taken', async () => {
  const [, tested] = /^const VERSION = '(\d+)\./m.exec(await read('tools/test-postgres15.mjs')) ?? [];
  const [, taken] =
    /OLDEST_POSTGRES = (\d+)/.exec(await read('libs/platform/src/database/schema/server-version.ts')) ?? [];
  expect(tested).toBe(taken);
  expect(await read('.ci/run')).toMatch(new RegExp(`npm run test:postgres${taken}\\b`));
  expect(await read('docs/install.md')).toContain(`Version ${taken} or newer`);
});
