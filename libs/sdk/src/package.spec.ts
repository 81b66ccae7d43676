import { readFile } from 'node:fs/promises';
import { SDK_VERSION } from './index.js';

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  dependencies?: Record<string, string>;
};

test('the package says the version that it is released as, and depends on nothing', () => {
  expect(SDK_VERSION).toBe(manifest.version);
  expect(manifest.dependencies).toBeUndefined();
});
