import { isIP } from 'node:net';
import { bool, FIXED, int, list, oneOf, optionalUrl, text, url } from './config/setting.js';
import type { Setting } from './config/setting.js';
import { settings } from './config/settings.js';
import { isRange } from './http/callers/client-addresses.js';

const PORT = int('PORT', { default: 3000, min: 1, max: 65535, text: 'port of the api' });
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const OPERATOR_TOKEN_LENGTH = { usual: 16, production: 32 };
const OPERATOR_TOKEN_TEXT = text('OPERATOR_TOKEN', {
  shown: '`npm start` generates it in `DATA_DIR`',
  text: 'bearer token of the operator endpoints, at least 16 characters (32 in production). Only the api needs it',
});
/** Empty if unset; every operator token is then invalid. */
const OPERATOR_TOKEN: Setting<string> = {
  ...OPERATOR_TOKEN_TEXT,
  read(environment, report) {
    const token = OPERATOR_TOKEN_TEXT.read(environment, report);
    const { usual, production } = OPERATOR_TOKEN_LENGTH;
    const least = environment.given('NODE_ENV') === 'production' ? production : usual;
    if (token !== '' && token.length < least) report(`OPERATOR_TOKEN must have at least ${least} characters`);
    return token;
  },
};

/** An additional port of the api; 0 for none. */
function separatePort(name: string, options: Parameters<typeof int>[1]): Setting<number> {
  const port = int(name, options);
  return {
    ...port,
    read(environment, report) {
      const value = port.read(environment, report);
      if (value > 0 && value === PORT.read(environment, () => undefined))
        report(`${name} must differ from PORT, which is ${value}; unset it to use PORT`);
      return value;
    },
  };
}

const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (text.length <= 253 && HOST_NAME.test(text) && !/^[\d.]+$/.test(text));

/** Listen addresses, servers and secrets. */
export class PlatformSettings extends settings('General', {
  host: text('HOST', {
    default: '127.0.0.1',
    check: (host) => (isHost(host) ? [] : [`must be an IP address or a host name, not "${host}"`]),
    text: 'address that api and worker listen on',
  }),
  port: PORT,
  workerPort: int('WORKER_PORT', {
    default: 3001,
    min: 1,
    max: 65535,
    text: "port of the worker's health checks and metrics",
  }),
  metricsPort: separatePort('METRICS_PORT', {
    default: 0,
    min: 0,
    max: 65535,
    shown: '0: on `PORT`',
    text: "separate port for the api's `/metrics`; `PORT` then returns 404 for it",
  }),
  operatorPort: separatePort('OPERATOR_PORT', {
    default: 0,
    min: 0,
    max: 65535,
    shown: '0: on `PORT`',
    text: 'separate port for the operator endpoints; `PORT` then returns 404 for them',
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    check: (ranges) =>
      ranges
        .filter((range) => !isRange(range))
        .map((range) => `has "${range}", which is not an address range`),
    text: 'address ranges of the proxies in front of the api, such as `10.0.0.0/8,::1`; see [Behind a proxy](install.md#behind-a-proxy)',
  }),
  publicUrl: url('PUBLIC_URL', {
    protocols: ['http:', 'https:'],
    default: (read) => `http://localhost:${read(PORT)}`,
    shown: '`http://localhost:$PORT`',
    withoutFinalSlash: true,
    text: 'public base URL, used in every link that Tieline creates',
  }),
  apiDocs: bool('API_DOCS', {
    default: true,
    text: 'serve the API reference and the guides at `/api/docs`',
  }),
  databaseUrl: url('DATABASE_URL', {
    protocols: ['postgres:', 'postgresql:'],
    required: 'the address of a Postgres server (npm start runs its own when it is unset)',
    shown: 'unset',
    text: 'PostgreSQL server. Required, except by `npm start`, which runs its own when this is unset',
  }),
  databasePoolMax: int('DATABASE_POOL_MAX', {
    default: 24,
    min: 2,
    max: 1000,
    text: 'size of the connection pool of each process; see [Connections](install.md#connections)',
  }),
  redisUrl: optionalUrl('REDIS_URL', {
    protocols: ['redis:', 'rediss:', 'redis-cluster:', 'rediss-cluster:'],
    text: '[Redis](install.md#redis) for the queue, live events and rate limits; unset, PostgreSQL does all three',
  }),
  dataDir: text('DATA_DIR', {
    default: './.data',
    shown: '`./.data`',
    text: 'folder for uploaded files and, with `npm start`, for the embedded database, generated secrets and logs',
  }),
  nodeEnv: text('NODE_ENV', {
    default: 'development',
    text: '`production`: `npm start` generates no secrets, and `OPERATOR_TOKEN` needs 32 characters',
  }),
  logLevel: oneOf('LOG_LEVEL', LEVELS, {
    default: 'info',
    text: 'lowest level that is logged',
  }),
  secretKey: text('SECRET_KEY', {
    required: '32 random bytes in base64 (openssl rand -base64 32)',
    check: (key) => (isKey(key) ? [] : ['must be 32 bytes in base64 (openssl rand -base64 32)']),
    shown: '`npm start` generates it in `DATA_DIR`',
    text: '32 bytes in base64 that encrypt signing secrets at rest; generate it with `openssl rand -base64 32`',
  }),
  secretKeysOld: list('SECRET_KEYS_OLD', {
    check: (keys) => (keys.every(isKey) ? [] : ['must be keys of 32 bytes in base64, separated by commas']),
    text: 'previous keys, used for decryption only; see [Rotate SECRET_KEY](security.md#rotate-secret_key)',
  }),
  operatorToken: OPERATOR_TOKEN,
}) {}

/** Limits per process for all clients. */
export class RequestLimits extends settings('Connections and requests', {
  connections: int('HTTP_MAX_CONNECTIONS', {
    deprecated: FIXED,
    default: 20_000,
    min: 1,
    max: 1_000_000,
    text: 'open connections per process; more are closed',
  }),
  headersSeconds: int('HTTP_HEADERS_TIMEOUT_SECONDS', {
    deprecated: FIXED,
    default: 15,
    min: 1,
    max: 3600,
    text: 'time for the headers of a request to arrive; then 408',
  }),
  requestSeconds: int('HTTP_REQUEST_TIMEOUT_SECONDS', {
    deprecated: FIXED,
    default: 60,
    min: 1,
    max: 3600,
    text: 'time for a whole request to arrive, uploads excepted; then 408',
  }),
  stalledSeconds: int('HTTP_STALLED_SECONDS', {
    deprecated: FIXED,
    default: 30,
    min: 1,
    max: 3600,
    text: 'a connection is closed when its client reads nothing of a response for this long',
  }),
  unfinishedBytes: int('HTTP_UNFINISHED_BODY_BYTES', {
    deprecated: FIXED,
    default: 67_108_864,
    min: 1_048_576,
    max: 1_000_000_000_000,
    text: 'memory for request bodies still being received, per process; beyond it the oldest request gets 408',
  }),
  requestsPerCaller: int('REQUESTS_PER_CALLER', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'concurrent requests of one bot or person, streams included, per process; more get 429',
  }),
  operatorFailures: int('RATE_OPERATOR_FAILURES_PER_MINUTE', {
    deprecated: FIXED,
    default: 60,
    min: 1,
    max: 1_000_000,
    text: 'wrong operator tokens per client address and process; more get 429 until the minute ends',
  }),
}) {}

function isKey(value: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) && Buffer.from(value, 'base64').length === 32;
}
