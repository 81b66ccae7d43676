import { isIP } from 'node:net';
import { bool, int, list, oneOf, optionalUrl, text, url } from './config/setting.js';
import type { Setting } from './config/setting.js';
import { settings } from './config/settings.js';
import { isRange } from './http/callers/client-addresses.js';

const PORT = int('PORT', { default: 3000, min: 1, max: 65535, text: 'where the api listens' });
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const OPERATOR_TOKEN_LENGTH = { usual: 16, production: 32 };
const OPERATOR_TOKEN_TEXT = text('OPERATOR_TOKEN', {
  shown: '`npm start` generates it in `DATA_DIR`',
  text: 'bearer token of the operator endpoints, at least 16 characters, 32 with `NODE_ENV=production`; the api requires it, nothing else needs it',
});
/** Empty where the process has none: then nobody is the operator. */
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

/** A port of the api beside PORT; 0 for none. */
function portOfItsOwn(name: string, options: Parameters<typeof int>[1]): Setting<number> {
  const port = int(name, options);
  return {
    ...port,
    read(environment, report) {
      const value = port.read(environment, report);
      if (value > 0 && value === PORT.read(environment, () => undefined))
        report(`${name} must be another port than PORT, which is ${value}; leave it out to use PORT`);
      return value;
    },
  };
}

const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (text.length <= 253 && HOST_NAME.test(text) && !/^[\d.]+$/.test(text));

/** Where a process listens, with which servers it works, and the keys of the installation. */
export class PlatformSettings extends settings('Where, with what, and secrets', {
  host: text('HOST', {
    default: '127.0.0.1',
    check: (host) => (isHost(host) ? [] : [`must be an IP address or a host name, not "${host}"`]),
    text: 'where api and worker listen',
  }),
  port: PORT,
  workerPort: int('WORKER_PORT', {
    default: 3001,
    min: 1,
    max: 65535,
    text: "the worker's health and metrics, on the same `HOST`",
  }),
  metricsPort: portOfItsOwn('METRICS_PORT', {
    default: 0,
    min: 0,
    max: 65535,
    shown: '0: with the rest',
    text: "listener of the api's `/metrics`, on the same `HOST`; no other listener serves it. The worker's stays on `WORKER_PORT`",
  }),
  operatorPort: portOfItsOwn('OPERATOR_PORT', {
    default: 0,
    min: 0,
    max: 65535,
    shown: '0: with the rest',
    text: 'listener of the operator endpoints, on the same `HOST`; no other listener serves them',
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    check: (ranges) =>
      ranges.filter((range) => !isRange(range)).map((range) => `has "${range}", which is no address range`),
    text: "address ranges of the proxies in front of the api, such as `10.0.0.0/8,::1`: from them `X-Forwarded-For` is believed, and the client's address is its right-most one that is no trusted proxy's; see [Behind a proxy](install.md#behind-a-proxy)",
  }),
  publicUrl: url('PUBLIC_URL', {
    protocols: ['http:', 'https:'],
    default: (read) => `http://localhost:${read(PORT)}`,
    shown: '`http://localhost:$PORT`',
    withoutFinalSlash: true,
    text: 'base of the addresses that Tieline hands out',
  }),
  apiDocs: bool('API_DOCS', {
    default: true,
    text: 'whether `/api/docs` shows the API and its guides; `/api/openapi.json` is served either way',
  }),
  databaseUrl: url('DATABASE_URL', {
    protocols: ['postgres:', 'postgresql:'],
    required: 'the address of a Postgres server (npm start runs its own when it is unset)',
    shown: 'unset',
    text: 'PostgreSQL; unset, `npm start` runs its own under `DATA_DIR`. Api, worker and migrate by themselves require it',
  }),
  databasePoolMax: int('DATABASE_POOL_MAX', {
    default: 24,
    min: 2,
    max: 1000,
    text: 'connections for statements, per process; see [PostgreSQL](install.md#postgresql)',
  }),
  redisUrl: optionalUrl('REDIS_URL', {
    protocols: ['redis:', 'rediss:', 'redis-cluster:', 'rediss-cluster:'],
    text: 'when set, queue, live events and rate limits run there; otherwise on PostgreSQL; see [Redis](install.md#redis)',
  }),
  dataDir: text('DATA_DIR', {
    default: './.data',
    shown: '`./.data`',
    text: 'embedded data, generated secrets, logs of `npm start`, file storage',
  }),
  nodeEnv: text('NODE_ENV', {
    default: 'development',
    text: 'with `production`, `npm start` generates no secrets',
  }),
  logLevel: oneOf('LOG_LEVEL', LEVELS, {
    default: 'info',
    text: 'the lowest level that is logged',
  }),
  secretKey: text('SECRET_KEY', {
    required: '32 random bytes in base64 (openssl rand -base64 32)',
    check: (key) => (isKey(key) ? [] : ['must be 32 bytes in base64 (openssl rand -base64 32)']),
    shown: '`npm start` generates it in `DATA_DIR`',
    text: '32 bytes in base64; encrypts signing secrets at rest',
  }),
  secretKeysOld: list('SECRET_KEYS_OLD', {
    check: (keys) => (keys.every(isKey) ? [] : ['must be keys of 32 bytes in base64, separated by commas']),
    text: 'further keys, for reading only; see [Rotating keys](security.md#rotate-secret_key)',
  }),
  operatorToken: OPERATOR_TOKEN,
}) {}

/** What clients may take of one process, whoever they are. */
export class RequestLimits extends settings('Connections and requests', {
  connections: int('HTTP_MAX_CONNECTIONS', {
    default: 20_000,
    min: 1,
    max: 1_000_000,
    text: 'open connections per process; further ones are closed',
  }),
  headersSeconds: int('HTTP_HEADERS_TIMEOUT_SECONDS', {
    default: 15,
    min: 1,
    max: 3600,
    text: 'until when the headers of a request must be there; then 408',
  }),
  requestSeconds: int('HTTP_REQUEST_TIMEOUT_SECONDS', {
    default: 60,
    min: 1,
    max: 3600,
    text: 'until when a whole request must be there, uploads excepted; then 408',
  }),
  stalledSeconds: int('HTTP_STALLED_SECONDS', {
    default: 30,
    min: 1,
    max: 3600,
    text: 'a connection whose reader takes nothing of its answer for so long is cut',
  }),
  unfinishedBytes: int('HTTP_UNFINISHED_BODY_BYTES', {
    default: 67_108_864,
    min: 1_048_576,
    max: 1_000_000_000_000,
    text: 'bytes of bodies that are still on their way, per process; over that the oldest is given up',
  }),
  requestsPerCaller: int('REQUESTS_PER_CALLER', {
    default: 100,
    min: 1,
    max: 1_000_000,
    text: 'requests of one bot or person at a time, streams included, per process; then 429. Together they have a third of the connections to PostgreSQL; the others of them wait',
  }),
  operatorFailures: int('RATE_OPERATOR_FAILURES_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000,
    text: 'wrong tokens at operator endpoints from one address, per process; then further wrong ones are 429 until the minute is over',
  }),
}) {}

function isKey(value: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) && Buffer.from(value, 'base64').length === 32;
}
