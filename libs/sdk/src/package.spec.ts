import { readFile } from 'node:fs/promises';
import { SDK_VERSION } from './index.js';

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  dependencies?: Record<string, string>;
};

test('the package has the released version and no dependencies', () => {
  expect(SDK_VERSION).toBe(manifest.version);
  expect(manifest.dependencies).toBeUndefined();
});
