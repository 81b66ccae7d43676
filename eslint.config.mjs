/**
 * The rules of the house that a program can check. `npm run lint` then proves on tools/lint-fixture
 * that each rule really fires.
 */
import tseslint from 'typescript-eslint';
import { COMMENT_WIDTH } from './tools/lint/rules/comment-width.mjs';
import { CONSOLE_LAYERS } from './tools/lint/rules/console-layers.mjs';
import { house } from './tools/lint/rules/house.mjs';
import { libLayers } from './tools/lint/rules/lib-layers.mjs';
import {
  ASYNC_STORAGE,
  FORWARD_REF,
  GET_PORT,
  HTTP,
  INCOMING_LAYERS,
  NODE,
  QUEUES,
} from './tools/lint/rules/restricted-imports.mjs';
import {
  ALWAYS,
  DUTIES,
  NO_ANY_TIMEOUT,
  NO_CHANGED_END,
  NO_GLOBAL_FETCH,
  NO_NARROW_TIMES,
  NO_PROCESS_ENV,
  NO_REQUEST_IP,
  NO_REQUEST_URL,
  NO_TOKEN_PREFIX,
  NO_WORKER_TX,
} from './tools/lint/rules/restricted-syntax.mjs';

const platform = ['lib:background', 'lib:platform'];
const infrastructure = [
  ...platform,
  'lib:egress',
  'lib:idempotency',
  'lib:live',
  'lib:partitions',
  'lib:queue',
  'lib:rate-limit',
  'lib:redis',
  'lib:signing',
  'lib:storage',
];
const delivery = [...infrastructure, 'lib:delivery'];
const spaces = [...delivery, 'lib:spaces'];
const conversations = [...spaces, 'lib:conversations'];
const bots = [...conversations, 'lib:bots'];
const askBot = [...bots, 'lib:ask-bot'];

/** Who may import whom: one line per lib. Another edge is a design question: write an ADR. */
const layers = {
  'lib:background': [],
  'lib:platform': ['lib:background'],
  'lib:egress': [...platform, 'lib:signing'],
  'lib:live': [...platform, 'lib:redis'],
  'lib:console': [...platform, 'lib:storage'],
  'lib:idempotency': [...platform, 'lib:queue'],
  'lib:partitions': [...platform, 'lib:queue'],
  'lib:queue': [...platform, 'lib:redis'],
  'lib:rate-limit': [...platform, 'lib:redis'],
  'lib:redis': platform,
  'lib:reencryption': [...platform, 'lib:signing'],
  'lib:markup': [],
  'lib:sdk': [],
  'lib:signing': platform,
  'lib:storage': [...platform, 'lib:queue', 'lib:signing'],
  'lib:transfer': platform,
  'lib:testing': platform,
  'lib:delivery': infrastructure,
  'lib:spaces': delivery,
  'lib:conversations': [...spaces, 'lib:markup'],
  'lib:live-stream': conversations,
  'lib:notifications': [...conversations, 'lib:live-stream'],
  'lib:files': conversations,
  'lib:webhooks': [...conversations, 'lib:markup', 'lib:notifications'],
  'lib:execution-tasks': [...conversations, 'lib:live-stream'],
  'lib:bots': conversations,
  'lib:ask-bot': bots,
  'lib:apps': bots,
  'lib:directory': bots,
  'lib:interactive': [...askBot, 'lib:files', 'lib:live-stream'],
  'lib:search': bots,
  'lib:slash': [...askBot, 'lib:interactive', 'lib:live-stream', 'lib:notifications'],
  'lib:app-manifests': [...askBot, 'lib:apps', 'lib:interactive', 'lib:slash'],
  'lib:agent-runs': [...bots, 'lib:files', 'lib:execution-tasks'],
  'lib:approvals': [...bots, 'lib:interactive', 'lib:live-stream'],
  'lib:bot-messages': [...bots, 'lib:files', 'lib:interactive', 'lib:live-stream', 'lib:slash'],
  'lib:admin': ['*'],
  'lib:mcp': platform,
  'lib:slack-surface': [
    ...askBot,
    ...['lib:agent-runs', 'lib:app-manifests', 'lib:apps', 'lib:bot-messages', 'lib:directory', 'lib:files'],
    ...['lib:interactive', 'lib:live-stream', 'lib:markup', 'lib:notifications', 'lib:search', 'lib:slash'],
    'lib:webhooks',
  ],
  'app:api': ['*'],
  'app:cli': ['lib:sdk'],
  'app:console': ['lib:markup', 'lib:sdk'],
  'app:worker': ['*'],
  'app:e2e': ['*'],
};

const specs = ['**/*.spec.ts', '**/*.int-spec.ts'];
const testing = [...specs, 'libs/*/src/**/testing/**', 'libs/testing/**', 'apps/e2e/**/*.ts'];

/** `no-restricted-imports` is one rule, so each exception repeats the others. */
function imports(...forbidden) {
  return {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { paths: [ASYNC_STORAGE, FORWARD_REF, GET_PORT], patterns: forbidden },
    ],
  };
}

function syntax(...more) {
  return { 'no-restricted-syntax': ['error', ...ALWAYS, ...more] };
}

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'tmp/**',
      '.nx/**',
      '.data/**',
      'tools/lint-fixture/**',
      'libs/sdk/src/api/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended],
    plugins: { house },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-unsafe-function-type': 'off', // classes as values: entities, providers, DTOs
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'start' }],
      'house/no-clock-in-where': 'error',
      'house/no-limited-in': 'error',
      'house/no-key-bytes': 'error',
      'house/no-module-state': 'error',
      'house/plain-english': 'error',
      ...COMMENT_WIDTH,
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }],
      ...imports(QUEUES, HTTP),
      ...syntax(
        NO_PROCESS_ENV,
        NO_GLOBAL_FETCH,
        NO_WORKER_TX,
        NO_TOKEN_PREFIX,
        NO_REQUEST_IP,
        ...NO_REQUEST_URL,
      ),
    },
  },
  {
    files: ['libs/platform/src/http/callers/token-prefixes.ts', 'apps/console/src/**/*.{ts,tsx}'],
    rules: syntax(NO_PROCESS_ENV, NO_GLOBAL_FETCH, NO_WORKER_TX),
  },
  {
    files: DUTIES,
    rules: syntax(NO_PROCESS_ENV, NO_GLOBAL_FETCH),
  },
  {
    files: ['libs/{queue,rate-limit,redis}/src/**/*.ts', 'libs/live/src/bus/**/*.ts'],
    rules: imports(HTTP),
  },
  {
    // Listens on further ports and sends nothing.
    files: ['libs/platform/src/http/limits/server-rules.ts'],
    rules: imports(QUEUES),
  },
  {
    // Hand an address to a router, send it on as it came, or check its signature.
    files: [
      'libs/platform/src/http/routes/{known-routes,upgrades}.ts',
      'libs/storage/src/local/storage.controller.ts',
      'libs/webhooks/src/incoming/receive/incoming-webhooks.controller.ts',
    ],
    rules: syntax(NO_PROCESS_ENV, NO_GLOBAL_FETCH, NO_WORKER_TX, NO_TOKEN_PREFIX, NO_REQUEST_IP),
  },
  {
    // Of requests that name a caller. The worker has none.
    files: ['libs/background/src/request-caller.ts', 'libs/platform/src/http/callers/resolved-token.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['libs/egress/src/**/*.ts'],
    rules: { ...imports(QUEUES), ...syntax(NO_PROCESS_ENV, NO_WORKER_TX) },
  },
  {
    files: ['libs/platform/src/config/**/*.ts'],
    rules: syntax(NO_GLOBAL_FETCH),
  },
  {
    // Runs on people's machines: it has no egress, and its settings are the terminal's environment.
    files: ['apps/cli/src/**/*.ts'],
    rules: { ...imports(QUEUES), ...syntax() },
  },
  {
    // main.ts and migrate.ts run before there is a logger, or instead of one.
    files: ['apps/*/src/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Runs outside the server, in programs of others: it has no egress, and a bot finds its address
    // and token in the environment.
    files: ['libs/sdk/src/**/*.ts'],
    rules: { ...imports(QUEUES), ...syntax() },
  },
  {
    // Runs in browsers. Its components are mostly markup.
    files: ['apps/console/src/**/*.{ts,tsx}'],
    rules: {
      ...imports(QUEUES, HTTP, NODE),
      ...syntax(NO_PROCESS_ENV, NO_GLOBAL_FETCH),
      'max-lines-per-function': ['error', { max: 120, skipComments: true, skipBlankLines: true }],
    },
  },
  ...INCOMING_LAYERS.map(({ pattern, ...where }) => ({
    ...where,
    rules: imports(QUEUES, HTTP, pattern),
  })),
  ...CONSOLE_LAYERS.map(({ pattern, ...where }) => ({
    ...where,
    rules: imports(QUEUES, HTTP, NODE, pattern),
  })),
  {
    files: testing,
    rules: {
      ...imports(),
      ...syntax(...NO_NARROW_TIMES, NO_CHANGED_END),
      'max-lines': ['error', 600],
      'house/no-key-bytes': 'off', // speed does not matter
      'house/no-module-state': 'off', // a test file is its own world
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-explicit-any': 'off', // bodies of answers are judged by expectations
    },
  },
  {
    // Its waits are to end.
    files: ['libs/testing/src/eventually.spec.ts'],
    rules: syntax(),
  },
  // `libs/testing` is for tests alone, `libs/reencryption` for a command and for them.
  ...libLayers(layers, testing, ['lib:testing', 'lib:reencryption']),
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.base],
    plugins: { house },
    rules: {
      'house/plain-english': 'error',
      ...COMMENT_WIDTH,
      'max-lines': ['error', 300],
      'no-restricted-imports': ['error', GET_PORT],
      'no-restricted-syntax': ['error', NO_ANY_TIMEOUT, ...NO_NARROW_TIMES],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // The server of the database tries another port when it cannot listen.
    files: ['tools/free-port.mjs', 'tools/postgres/server.mjs'],
    rules: { 'no-restricted-imports': 'off' },
  },
);
