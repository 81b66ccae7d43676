import { readFileSync } from 'node:fs';
import { ConfigError, loadConfig } from './app-config.js';
import { VERSION } from './version.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const minimal = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/t',
  SECRET_KEY: KEY,
  OPERATOR_TOKEN: 'operator-token-0123',
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  test('the defaults of the contract', () => {
    const config = loadConfig(minimal);
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      workerPort: 3001,
      publicUrl: 'http://localhost:3000',
      redisUrl: undefined,
      dataDir: './.data',
      egressAllowHttp: false,
      egressAllowedCidrs: [],
      storageDriver: 'local',
      fileMaxBytes: 104857600,
      deliveryTimeoutMs: 5000,
      deliveryMaxAttempts: 8,
      deliveryBackoffInitialMs: 5000,
      deliveryBackoffMaxMs: 3600000,
      deliveryAutoDisableThreshold: 100,
      callbackTimeoutMs: 3000,
      slashTriggerTtlSeconds: 300,
      interactiveTokenTtlSeconds: 86400,
      modalTokenTtlSeconds: 900,
      pollInteractionTtlSeconds: 900,
      modalChainMaxDepth: 3,
      pollingEnabled: true,
      pollRetentionHours: 48,
      streamKeepaliveSeconds: 30,
      dmInboxLimit: 50,
      dmInboxTtlHours: 24,
      agentRunTimeoutSeconds: 1800,
      incomingAutoDisableThreshold: 100,
      rateBotMessagesPerSecond: 10,
      rateDmPerSecond: 1,
      rateAgentRunCreatePerSecond: 5,
      rateAgentRunUpdatePerSecond: 10,
      rateTaskWritesPerSecond: 10,
      rateBotWritesPerSecond: 50,
      ratePollPerSecond: 10,
      logLevel: 'info',
    });
  });

  test('PUBLIC_URL follows PORT', () => {
    expect(loadConfig({ ...minimal, PORT: '4100' }).publicUrl).toBe('http://localhost:4100');
  });

  test('all problems are named together', () => {
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
      'OPERATOR_TOKEN',
    ]) {
      expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
    }
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
    expect(loadConfig({ ...minimal, EGRESS_ALLOWED_CIDRS: '' }).egressAllowedCidrs).toEqual([]);
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

  test('the version is the one of the root package', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(VERSION).toBe(manifest.version);
  });
});
