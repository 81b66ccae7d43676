/**
 * `npm run docs:api`: writes docs/openapi.json from a running product, and from that the functions
 * and types of `@tieline/sdk/api`, the tables of docs/scopes.md, and docs/app-manifest.schema.json.
 * A change that breaks callers is refused, with what it breaks; `-- --breaking` writes it all the
 * same.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { writeClient } from './api-client.mjs';
import { writeManifestSchema } from './manifest-schema.mjs';
import { writeScopes } from './scopes-page.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.preset.js', '--rootDir', 'apps/e2e'];
const { status } = spawnSync(process.execPath, [...jest, 'openapi.int-spec', '-t', 'docs/openapi.json'], {
  cwd: ROOT,
  env: { ...process.env, WRITE_API: process.argv.includes('--breaking') ? 'breaking' : 'yes' },
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await writeScopes(ROOT);
await writeManifestSchema(ROOT);
await writeClient(resolve(ROOT, 'libs/sdk/src/api'));
