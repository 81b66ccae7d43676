import { readFileSync } from 'node:fs';
import {
  checkSettings,
  ConfigError,
  deprecationsIn,
  discoverSettings,
  Environment,
  PlatformSettings,
  VERSION,
  withSettingsTables,
} from '@tieline/platform/config';
import type { SettingsClass } from '@tieline/platform/config';

const KEY = Buffer.alloc(32, 7).toString('base64');
const minimal = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/t',
  SECRET_KEY: KEY,
  OPERATOR_TOKEN: 'operator-token-0123',
};

let classes: SettingsClass[];
beforeAll(async () => {
  classes = await discoverSettings();
});

/** Returns all settings of all libs for these variables. */
function valuesOf(env: Record<string, string>): Record<string, unknown> {
  const environment = new Environment(env);
  return Object.fromEntries(classes.map((found) => [found.name, { ...new found(environment) }]));
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    checkSettings(classes, new Environment(env));
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  test('documented defaults', () => {
    expect(valuesOf(minimal)).toEqual({
      PlatformSettings: {
        nodeEnv: 'development',
        host: '127.0.0.1',
        port: 3000,
        workerPort: 3001,
        metricsPort: 0,
        operatorPort: 0,
        trustedProxies: [],
        apiDocs: true,
        publicUrl: 'http://localhost:3000',
        databaseUrl: minimal.DATABASE_URL,
        databasePoolMax: 24,
        redisUrl: undefined,
        dataDir: './.data',
        logLevel: 'info',
        secretKey: KEY,
        secretKeysOld: [],
        operatorToken: minimal.OPERATOR_TOKEN,
      },
      RequestLimits: {
        connections: 20000,
        headersSeconds: 15,
        requestSeconds: 60,
        stalledSeconds: 30,
        unfinishedBytes: 67108864,
        requestsPerCaller: 100,
        operatorFailures: 60,
      },
      EgressSettings: {
        allowHttp: false,
        allowedCidrs: [],
        deliveryTimeoutMs: 5000,
        callbackTimeoutMs: 3000,
      },
      SocketSettings: { ackSeconds: 10, pingSeconds: 15 },
      StorageSettings: {
        driver: 'local',
        s3Endpoint: undefined,
        s3Region: 'us-east-1',
        s3Bucket: '',
        s3AccessKeyId: '',
        s3SecretAccessKey: '',
        s3ForcePathStyle: false,
        fileMaxBytes: 104857600,
        diskFreeBytes: 536870912,
      },
      DeliverySettings: {
        maxAttempts: 8,
        backoffInitialMs: 5000,
        backoffMaxMs: 3600000,
        autoDisableThreshold: 100,
      },
      SignInSettings: { failuresPerMinute: 60 },
      SlashSettings: { triggerTtlSeconds: 300 },
      InteractiveSettings: {
        tokenTtlSeconds: 86400,
        modalTokenTtlSeconds: 900,
        triggerTtlSeconds: 300,
        pollInteractionTtlSeconds: 900,
        responseTokenTtlSeconds: 1800,
        modalChainMaxDepth: 3,
      },
      PollSettings: { enabled: true, retentionHours: 48, perSecond: 10 },
      AuditLogSettings: { retentionDays: 400 },
      LiveSettings: { keepaliveSeconds: 30, perCaller: 10, perProcess: 10000 },
      MemberEventSettings: { emitted: false },
      DmInboxSettings: { limit: 50, ttlHours: 24 },
      AgentRunSettings: {
        timeoutSeconds: 1800,
        stopGraceSeconds: 10,
        createdPerSecond: 5,
        updatesPerSecond: 10,
      },
      ApprovalSettings: { createdPerSecond: 10, retentionDays: 90 },
      IncomingWebhookSettings: { autoDisableThreshold: 100 },
      OAuthSettings: { dynamicRegistration: false, startedPerMinute: 600 },
      OutgoingWebhookSettings: { ratePerSecond: { free: 5, pro: 20, enterprise: 100 } },
      SpaceLimitSettings: {
        limits: {
          bots: { free: 300, pro: 2000, enterprise: 20_000 },
          channels: { free: 2000, pro: 20_000, enterprise: 200_000 },
          people: { free: 10_000, pro: 50_000, enterprise: 500_000 },
          incoming_webhooks: { free: 300, pro: 2000, enterprise: 20_000 },
          subscriptions: { free: 300, pro: 2000, enterprise: 20_000 },
          file_bytes: { free: 10_737_418_240, pro: 107_374_182_400, enterprise: 1_099_511_627_776 },
        },
      },
      BotRateSettings: { messagesPerSecond: 10, writesPerSecond: 50, dmPerSecond: 1 },
      PersonRateSettings: { writesPerSecond: 20 },
      CallerRateSettings: { otherWritesPerMinute: 3000 },
      TaskSettings: { writesPerSecond: 10 },
    });
  });

  test.each([
    ['SPACE_LIMITS', 'bots=1/2/3', { free: 1, pro: 2, enterprise: 3 }],
    ['SPACE_LIMITS', ' people = 1/2/3 , bots = 4/5/6 ', { free: 4, pro: 5, enterprise: 6 }],
  ])('%s=%s sets the number of bots for each plan', (name, value, bots) => {
    expect(valuesOf({ ...minimal, [name]: value })).toMatchObject({
      SpaceLimitSettings: { limits: { bots } },
    });
  });

  test.each([
    ['SPACE_LIMITS', 'bots'],
    ['SPACE_LIMITS', 'bots=5'],
    ['SPACE_LIMITS', 'bots=5/6/7/8'],
    ['SPACE_LIMITS', 'bots=0/6/7'],
    ['SPACE_LIMITS', 'bots=1.5/6/7'],
    ['SPACE_LIMITS', 'bots=1/2/1000001'],
    ['SPACE_LIMITS', 'file_bytes=1/2/1000000000000001'],
    ['SPACE_LIMITS', 'robots=1/2/3'],
    ['SPACE_LIMITS', 'constructor=1/2/3'],
  ])('%s=%s is a problem', (name, value) => {
    const problems = problemsOf({ ...minimal, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(name);
  });

  test('deprecated variables still work and are reported, and removed ones are reported', () => {
    const variables = { ...minimal, LIMIT_BOTS: '1,2,3', HTTP_STALLED_SECONDS: '5', RELAY_SHARDS: '4' };
    expect(valuesOf(variables)).toMatchObject({ RequestLimits: { stalledSeconds: 5 } });
    const reported = deprecationsIn(classes, new Environment(variables));
    expect(reported.map((text) => text.split(':')[0]).sort()).toEqual([
      'HTTP_STALLED_SECONDS is deprecated',
      'LIMIT_BOTS has no effect',
      'RELAY_SHARDS has no effect',
    ]);
    expect(deprecationsIn(classes, new Environment(minimal))).toEqual([]);
  });

  test('PUBLIC_URL follows PORT', () => {
    const { publicUrl } = new PlatformSettings(new Environment({ ...minimal, PORT: '4100' }));
    expect(publicUrl).toBe('http://localhost:4100');
  });

  test('all problems are reported together', () => {
    const problems = problemsOf({
      PORT: 'abc',
      SECRET_KEY: 'short',
      LOG_LEVEL: 'loud',
      EGRESS_ALLOWED_CIDRS: '10.0.0.0/99',
      POLLING_ENABLED: 'maybe',
    });
    for (const name of [
      'PORT',
      'SECRET_KEY',
      'LOG_LEVEL',
      'EGRESS_ALLOWED_CIDRS',
      'POLLING_ENABLED',
      'DATABASE_URL',
    ]) {
      expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
    }
  });

  test('OPERATOR_TOKEN is required for operator endpoints and has at least 32 characters in production', () => {
    const { OPERATOR_TOKEN, ...without } = minimal;
    expect(problemsOf(without)).toEqual([]);
    expect(() => checkSettings(classes, new Environment(without), ['OPERATOR_TOKEN'])).toThrow(
      'OPERATOR_TOKEN is required',
    );
    const production = { ...without, NODE_ENV: 'production' };
    expect(problemsOf({ ...production, OPERATOR_TOKEN })).toEqual([
      'OPERATOR_TOKEN must have at least 32 characters',
    ]);
    expect(problemsOf({ ...production, OPERATOR_TOKEN: 'x'.repeat(32) })).toEqual([]);
    expect(problemsOf({ ...without, OPERATOR_TOKEN: 'x'.repeat(15) })).toEqual([
      'OPERATOR_TOKEN must have at least 16 characters',
    ]);
  });

  test.each([
    ['10.0.0.0/33', true],
    ['10.0.0.0/8/9', true],
    ['host', true],
    ['10.0.0.0/8', false],
    ['::1/128', false],
    ['::1/129', true],
    ['127.0.0.1', false],
  ])('EGRESS_ALLOWED_CIDRS=%s is a problem: %s', (cidr, wrong) => {
    expect(problemsOf({ ...minimal, EGRESS_ALLOWED_CIDRS: cidr }).length > 0).toBe(wrong);
  });

  test('EGRESS_ALLOWED_CIDRS set but empty means none', () => {
    expect(valuesOf({ ...minimal, EGRESS_ALLOWED_CIDRS: '' })).toMatchObject({
      EgressSettings: { allowedCidrs: [] },
    });
  });

  test.each([
    ['127.0.0.1', false],
    ['::1', false],
    ['localhost', false],
    ['tieline_api.internal', false],
    ['bad host', true],
    ['http://localhost', true],
    ['1.2.3', true],
    ['[::1]', true],
  ])('HOST=%s is a problem: %s', (host, wrong) => {
    expect(problemsOf({ ...minimal, HOST: host }).map((problem) => problem.split(' ')[0])).toEqual(
      wrong ? ['HOST'] : [],
    );
  });

  test('private listeners need a different port than the public one', () => {
    expect(problemsOf({ ...minimal, OPERATOR_PORT: '3000' })).toEqual([
      'OPERATOR_PORT must differ from PORT, which is 3000; unset it to use PORT',
    ]);
    expect(problemsOf({ ...minimal, METRICS_PORT: '3005', OPERATOR_PORT: '3005' })).toEqual([]);
  });

  test.each([
    ['10.0.0.0/8, ::1', []],
    ['10.0.0.0/33,proxy', ['TRUSTED_PROXIES', 'TRUSTED_PROXIES']],
  ])('TRUSTED_PROXIES=%s has the problems %j', (ranges, names) => {
    const problems = problemsOf({ ...minimal, TRUSTED_PROXIES: ranges });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  test('s3 needs its variables', () => {
    expect(problemsOf({ ...minimal, STORAGE_DRIVER: 's3' }).map((problem) => problem.split(' ')[0])).toEqual([
      'S3_BUCKET',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });

  test('numbers have bounds', () => {
    expect(problemsOf({ ...minimal, PORT: '70000' })).toHaveLength(1);
    expect(problemsOf({ ...minimal, DELIVERY_MAX_ATTEMPTS: '0' })).toHaveLength(1);
    expect(problemsOf({ ...minimal, DELIVERY_MAX_ATTEMPTS: '-3' })).toHaveLength(1);
    expect(problemsOf({ ...minimal, DELIVERY_MAX_ATTEMPTS: '1e3' })).toHaveLength(1);
  });

  test('a problem is reported once, even if several libs read the variable', () => {
    expect(problemsOf({ ...minimal, PORT: 'abc', STORAGE_DRIVER: 'tape' })).toEqual([
      'PORT must be a whole number from 1 to 65535, not "abc"',
      'STORAGE_DRIVER must be one of local, s3, not "tape"',
    ]);
  });

  test('settings are immutable', () => {
    const settings = new PlatformSettings(new Environment(minimal));
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
  });

  test('docs/configure.md is up to date (`npm run docs`)', () => {
    const page = readFileSync(new URL('../../../docs/configure.md', import.meta.url), 'utf8');
    expect(withSettingsTables(page, classes)).toBe(page);
  });

  test('the version is that of the root package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(VERSION).toBe(manifest.version);
  });
});
