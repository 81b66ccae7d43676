/**
 * One Jest configuration for every project: `jest --config jest.preset.js --rootDir libs/<name>`.
 * Tests run as ES modules, straight from the TypeScript sources (package condition
 * `@tieline/source`).
 */
import { fileURLToPath } from 'node:url';

const tool = (name) => fileURLToPath(new URL(`tools/jest/${name}`, import.meta.url));

/**
 * A second run on another queue and another Node leaves out what depends on neither: pure tests,
 * tests of SQL alone, clients, and tests of single requests to a built program.
 */
const NOT_OF_THE_SERVER = [
  '/src/.*(?<!int-)spec\\.ts$',
  '/(statements|plans)\\.int-spec\\.ts$',
  '/apps/(cli|console)/',
  '/apps/e2e/src/(?!outages/|endpoints/sessions|[^/]+$)',
  '/libs/(admin|console|markup|partitions|reencryption|sdk|signing|transfer)/',
];

export default {
  testEnvironment: tool('realm/environment.mjs'),
  runtime: tool('realm/runtime.mjs'),
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/src/**/*.int-spec.ts'],
  testPathIgnorePatterns: process.env.TIELINE_TESTS === 'server' ? NOT_OF_THE_SERVER : [],
  passWithNoTests: true, // apps only compose; that every lib has tests is a house rule of `npm run lint`
  transform: {},
  globalSetup: tool('global-setup.mjs'),
  globalTeardown: tool('global-teardown.mjs'),
  setupFilesAfterEnv: [fileURLToPath(new URL('libs/testing/src/answers/check-tests.ts', import.meta.url))],
  testSequencer: tool('test-plan.mjs'),
  // Failures are printed where they happen, without Jest's summary. `npm test` has its own
  // reporter.
  reporters: [['default', { summaryThreshold: 10_000 }], tool('strays-reporter.mjs')],
  testTimeout: 300_000, // ends what hangs; a busy machine may take its time
  maxWorkers: 1,
  // Before a process ends, it ends the product that its test files shared
  // (apps/e2e/src/share-tieline.ts).
  workerGracefulExitTimeout: 5_000,
};
