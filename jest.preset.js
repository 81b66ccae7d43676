/**
 * One Jest configuration for every project: `jest --config jest.preset.js --rootDir libs/<name>`.
 * Tests run as ES modules, straight from the TypeScript sources (package condition
 * `@tieline/source`).
 */
import { fileURLToPath } from 'node:url';

const tool = (name) => fileURLToPath(new URL(`tools/jest/${name}`, import.meta.url));

/**
 * The clients know nothing of the server's queue: a second run of the suite with another one may
 * leave their tests out.
 */
const CLIENTS = '/apps/e2e/src/(sdk|python|cli|console)/';

export default {
  testEnvironment: tool('realm/environment.mjs'),
  runtime: tool('realm/runtime.mjs'),
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/src/**/*.int-spec.ts'],
  testPathIgnorePatterns: process.env.TIELINE_TESTS === 'server' ? [CLIENTS] : [],
  passWithNoTests: true, // apps only compose; that every lib has tests is a house rule of `npm run lint`
  transform: {},
  globalSetup: tool('global-setup.mjs'),
  globalTeardown: tool('global-teardown.mjs'),
  setupFilesAfterEnv: [fileURLToPath(new URL('libs/testing/src/answers/check-tests.ts', import.meta.url))],
  // Failures are said once where they happen and once at the end of `npm test`; Jest's own summary
  // comes letter by letter through Nx.
  reporters: [['default', { summaryThreshold: 10_000 }], tool('totals-reporter.mjs')],
  testTimeout: 300_000, // ends what hangs; a busy machine may take its time
  maxWorkers: 1,
};
