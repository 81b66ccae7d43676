import net from 'node:net';
import { EnvReader } from './env-reader.js';
import { VERSION } from './version.js';

type Env = Readonly<Record<string, string | undefined>>;
const HOUR = 3_600_000;

/** Thrown by `loadConfig` when variables are missing or wrong; `problems` names each of them. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Configuration problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Every setting of the product, read once at start (decisions, section 2). Immutable; injected where it is needed.
 * No other file reads `process.env`.
 */
export class AppConfig {
  /** NODE_ENV. In `production` nothing is generated: `npm start` then wants SECRET_KEY and OPERATOR_TOKEN given. */
  readonly nodeEnv: string;
  /** The product's version, sent in `User-Agent`. */
  readonly version = VERSION;
  /** HOST, PORT: where the API listens. */
  readonly host: string;
  readonly port: number;
  /** WORKER_PORT: the worker's health and metrics. */
  readonly workerPort: number;
  /** PUBLIC_URL: base of links handed out, without a final slash. */
  readonly publicUrl: string;
  /** DATABASE_URL: the Postgres server; `npm start` sets it to its own when it is unset. */
  readonly databaseUrl: string;
  /** DATABASE_POOL_MAX: connections that one process opens for statements. */
  readonly databasePoolMax: number;
  /** REDIS_URL: when set, queue, live fan-out and rate limits run there, else on Postgres. */
  readonly redisUrl: string | undefined;
  /** DATA_DIR: embedded data, generated secrets, local file storage. */
  readonly dataDir: string;
  /** SECRET_KEY: 32 bytes in base64; encrypts signing secrets at rest. */
  readonly secretKey: string;
  /** SECRET_KEYS_OLD: earlier keys, comma separated, still accepted for reading. */
  readonly secretKeysOld: readonly string[];
  /** OPERATOR_TOKEN: bearer token of the operator endpoints. */
  readonly operatorToken: string;
  /** EGRESS_ALLOW_HTTP: allow `http://` targets. */
  readonly egressAllowHttp: boolean;
  /** EGRESS_ALLOWED_CIDRS: private ranges that outgoing requests may reach all the same. */
  readonly egressAllowedCidrs: readonly string[];
  /** STORAGE_DRIVER and the S3_* variables: where file bytes are kept. */
  readonly storageDriver: 'local' | 's3';
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string;
  readonly s3Bucket: string;
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
  readonly s3ForcePathStyle: boolean;
  /** FILE_MAX_BYTES: largest accepted file. */
  readonly fileMaxBytes: number;
  /** DELIVERY_*: attempts of outgoing webhooks and bot push; times in milliseconds. */
  readonly deliveryTimeoutMs: number;
  readonly deliveryMaxAttempts: number;
  readonly deliveryBackoffInitialMs: number;
  readonly deliveryBackoffMaxMs: number;
  /** DELIVERY_AUTO_DISABLE_THRESHOLD: consecutive dead deliveries that switch a target off. */
  readonly deliveryAutoDisableThreshold: number;
  /** CALLBACK_TIMEOUT_MS: total time of an interactive or slash callback. */
  readonly callbackTimeoutMs: number;
  /** SLASH_TRIGGER_TTL_SECONDS: life of a slash trigger. */
  readonly slashTriggerTtlSeconds: number;
  /** INTERACTIVE_TOKEN_TTL_SECONDS: life of a button's signed token. */
  readonly interactiveTokenTtlSeconds: number;
  /** MODAL_TOKEN_TTL_SECONDS: life of a modal token. */
  readonly modalTokenTtlSeconds: number;
  /** POLL_INTERACTION_TTL_SECONDS: how long a poll-mode interaction can be answered. */
  readonly pollInteractionTtlSeconds: number;
  /** MODAL_CHAIN_MAX_DEPTH: modals in one chain in poll mode, the first included. */
  readonly modalChainMaxDepth: number;
  /** POLLING_ENABLED: false answers 503 to event polling. */
  readonly pollingEnabled: boolean;
  /** POLL_RETENTION_HOURS: how long poll records stay readable. */
  readonly pollRetentionHours: number;
  /** STREAM_KEEPALIVE_SECONDS: interval of `:ping` lines on streams. */
  readonly streamKeepaliveSeconds: number;
  /** DM_INBOX_LIMIT, DM_INBOX_TTL_HOURS: offline messages kept for a bot's DM stream. */
  readonly dmInboxLimit: number;
  readonly dmInboxTtlHours: number;
  /** AGENT_RUN_TIMEOUT_SECONDS: a run without an update for so long expires. */
  readonly agentRunTimeoutSeconds: number;
  /** INCOMING_AUTO_DISABLE_THRESHOLD: consecutive failures that switch an incoming webhook off. */
  readonly incomingAutoDisableThreshold: number;
  /** RATE_*: fixed windows of one second. */
  readonly rateBotMessagesPerSecond: number;
  readonly rateDmPerSecond: number;
  readonly rateAgentRunCreatePerSecond: number;
  readonly rateAgentRunUpdatePerSecond: number;
  readonly rateTaskWritesPerSecond: number;
  readonly rateBotWritesPerSecond: number;
  readonly ratePollPerSecond: number;
  /** LOG_LEVEL of the structured logs. */
  readonly logLevel: string;

  /** @throws ConfigError naming every missing or wrong variable. */
  constructor(env: Env) {
    const read = new EnvReader(env);
    this.nodeEnv = read.text('NODE_ENV', 'development');
    this.host = read.text('HOST', '127.0.0.1');
    this.port = read.int('PORT', 3000, 1, 65535);
    this.workerPort = read.int('WORKER_PORT', 3001, 1, 65535);
    this.publicUrl = read.text('PUBLIC_URL', `http://localhost:${this.port}`).replace(/\/+$/, '');
    read.url('PUBLIC_URL', this.publicUrl, ['http:', 'https:']);
    this.databaseUrl = read.required(
      'DATABASE_URL',
      'the address of a Postgres server (npm start runs its own when it is unset)',
    );
    read.url('DATABASE_URL', this.databaseUrl, ['postgres:', 'postgresql:']);
    this.databasePoolMax = read.int('DATABASE_POOL_MAX', 24, 2, 1000);
    this.redisUrl = read.optional('REDIS_URL');
    read.url('REDIS_URL', this.redisUrl, ['redis:', 'rediss:']);
    this.dataDir = read.text('DATA_DIR', './.data');
    this.secretKey = read.required('SECRET_KEY', '32 random bytes in base64 (openssl rand -base64 32)');
    this.secretKeysOld = read.list('SECRET_KEYS_OLD', []);
    checkKeys(read, this.secretKey, this.secretKeysOld);
    this.operatorToken = read.required('OPERATOR_TOKEN', 'the bearer token of the operator endpoints');
    if (this.operatorToken !== '' && this.operatorToken.length < 16)
      read.problems.push('OPERATOR_TOKEN must have at least 16 characters');
    this.egressAllowHttp = read.bool('EGRESS_ALLOW_HTTP', false);
    this.egressAllowedCidrs = read.list('EGRESS_ALLOWED_CIDRS', []);
    for (const cidr of this.egressAllowedCidrs)
      if (!isCidr(cidr)) read.problems.push(`EGRESS_ALLOWED_CIDRS has "${cidr}", which is no address range`);
    this.storageDriver = read.oneOf('STORAGE_DRIVER', ['local', 's3'] as const, 'local');
    const needsS3 = this.storageDriver === 's3';
    const s3 = (name: string): string =>
      needsS3 ? read.required(name, 'STORAGE_DRIVER is s3') : read.text(name, '');
    this.s3Endpoint = read.optional('S3_ENDPOINT');
    read.url('S3_ENDPOINT', this.s3Endpoint, ['http:', 'https:']);
    this.s3Region = read.text('S3_REGION', 'us-east-1');
    this.s3Bucket = s3('S3_BUCKET');
    this.s3AccessKeyId = s3('S3_ACCESS_KEY_ID');
    this.s3SecretAccessKey = s3('S3_SECRET_ACCESS_KEY');
    this.s3ForcePathStyle = read.bool('S3_FORCE_PATH_STYLE', false);
    this.fileMaxBytes = read.int('FILE_MAX_BYTES', 104_857_600, 1, 5_000_000_000_000);
    this.deliveryTimeoutMs = read.int('DELIVERY_TIMEOUT_MS', 5000, 50, 120_000);
    this.deliveryMaxAttempts = read.int('DELIVERY_MAX_ATTEMPTS', 8, 1, 100);
    this.deliveryBackoffInitialMs = read.int('DELIVERY_BACKOFF_INITIAL_MS', 5000, 1, 24 * HOUR);
    this.deliveryBackoffMaxMs = read.int('DELIVERY_BACKOFF_MAX_MS', HOUR, 1, 24 * HOUR);
    this.deliveryAutoDisableThreshold = read.int('DELIVERY_AUTO_DISABLE_THRESHOLD', 100, 1, 1_000_000);
    this.callbackTimeoutMs = read.int('CALLBACK_TIMEOUT_MS', 3000, 50, 60_000);
    this.slashTriggerTtlSeconds = read.int('SLASH_TRIGGER_TTL_SECONDS', 300, 1, 86_400);
    this.interactiveTokenTtlSeconds = read.int('INTERACTIVE_TOKEN_TTL_SECONDS', 86_400, 1, 31_536_000);
    this.modalTokenTtlSeconds = read.int('MODAL_TOKEN_TTL_SECONDS', 900, 1, 86_400);
    this.pollInteractionTtlSeconds = read.int('POLL_INTERACTION_TTL_SECONDS', 900, 1, 86_400);
    this.modalChainMaxDepth = read.int('MODAL_CHAIN_MAX_DEPTH', 3, 1, 100);
    this.pollingEnabled = read.bool('POLLING_ENABLED', true);
    this.pollRetentionHours = read.int('POLL_RETENTION_HOURS', 48, 1, 24 * 365);
    this.streamKeepaliveSeconds = read.int('STREAM_KEEPALIVE_SECONDS', 30, 1, 3600);
    this.dmInboxLimit = read.int('DM_INBOX_LIMIT', 50, 1, 10_000);
    this.dmInboxTtlHours = read.int('DM_INBOX_TTL_HOURS', 24, 1, 24 * 365);
    this.agentRunTimeoutSeconds = read.int('AGENT_RUN_TIMEOUT_SECONDS', 1800, 1, 31_536_000);
    this.incomingAutoDisableThreshold = read.int('INCOMING_AUTO_DISABLE_THRESHOLD', 100, 1, 1_000_000);
    const rate = (name: string, fallback: number): number => read.int(name, fallback, 1, 1_000_000_000);
    this.rateBotMessagesPerSecond = rate('RATE_BOT_MESSAGES_PER_SECOND', 10);
    this.rateDmPerSecond = rate('RATE_DM_PER_SECOND', 1);
    this.rateAgentRunCreatePerSecond = rate('RATE_AGENT_RUN_CREATE_PER_SECOND', 5);
    this.rateAgentRunUpdatePerSecond = rate('RATE_AGENT_RUN_UPDATE_PER_SECOND', 10);
    this.rateTaskWritesPerSecond = rate('RATE_TASK_WRITES_PER_SECOND', 10);
    this.rateBotWritesPerSecond = rate('RATE_BOT_WRITES_PER_SECOND', 50);
    this.ratePollPerSecond = rate('RATE_POLL_PER_SECOND', 10);
    this.logLevel = read.oneOf(
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const,
      'info',
    );
    if (read.problems.length > 0) throw new ConfigError(read.problems);
  }
}

/** Reads the configuration of this process. @throws ConfigError with every problem at once. */
export function loadConfig(env: Env = process.env): AppConfig {
  return new AppConfig(env);
}

function checkKeys(read: EnvReader, current: string, old: readonly string[]): void {
  if (current !== '' && !isKey(current))
    read.problems.push('SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32)');
  if (old.some((key) => !isKey(key)))
    read.problems.push('SECRET_KEYS_OLD must be keys of 32 bytes in base64, separated by commas');
}

function isKey(value: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) && Buffer.from(value, 'base64').length === 32;
}

function isCidr(value: string): boolean {
  const [address, bits, rest] = value.split('/');
  if (address === undefined || rest !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return false;
  const family = net.isIP(address);
  return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}
