/**
 * `npm run docs:events`: runs the test of docs/events.md so that it writes what really arrived into
 * the examples there.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.preset.js', '--rootDir', 'apps/e2e'];
const { status } = spawnSync(process.execPath, [...jest, 'events-document'], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, WRITE_EVENTS: 'yes' },
  stdio: 'inherit',
});
process.exit(status ?? 1);
