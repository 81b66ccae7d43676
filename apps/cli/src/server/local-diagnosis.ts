import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { fault, ok, warning } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 3_000;
const OLDEST_POSTGRES = 15;

/** Checks the settings as api and worker would at start. */
export async function localDiagnoses(env: Environment): Promise<Diagnosis[]> {
  return [
    await databaseDiagnosis(env.DATABASE_URL),
    await redisDiagnosis(env.REDIS_URL),
    ...(await Promise.all([
      portDiagnosis('api port', Number(env.PORT || 3000)),
      portDiagnosis('worker port', Number(env.WORKER_PORT || 3001)),
    ])),
    ...settingDiagnoses(env),
  ];
}

async function databaseDiagnosis(connectionString: string | undefined): Promise<Diagnosis> {
  if (!connectionString) return ok('database', 'DATABASE_URL is unset: `npm start` runs one of its own');
  const database = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  database.on('error', () => undefined);
  try {
    await database.connect();
    const { rows } = await database.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    const version = rows[0]!.version;
    return Number.parseInt(version, 10) >= OLDEST_POSTGRES
      ? ok('database', `PostgreSQL ${version}`)
      : fault('database', `PostgreSQL ${version}, but ${OLDEST_POSTGRES} is the oldest that works`);
  } catch (error) {
    return fault('database', `DATABASE_URL: ${(error as Error).message}`);
  } finally {
    await database.end().catch(() => undefined);
  }
}

async function redisDiagnosis(address: string | undefined): Promise<Diagnosis> {
  if (!address) return ok('redis', 'REDIS_URL is unset: PostgreSQL is the queue');
  try {
    const answer = await ping(new URL(address));
    return /\+PONG/.test(answer)
      ? ok('redis', 'answers')
      : fault('redis', answer.split('\r\n')[0] ?? 'says nothing');
  } catch (error) {
    return fault('redis', `REDIS_URL: ${(error as Error).message}`);
  }
}

function ping({ protocol, hostname, port, username, password }: URL): Promise<string> {
  const options = { host: hostname, port: Number(port || 6379) };
  const socket = protocol.startsWith('rediss') ? connectTls(options) : connect(options);
  const words = [username, password].filter(Boolean).map(decodeURIComponent);
  const sent = `${password ? command('AUTH', ...words) : ''}${command('PING')}`;
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')));
    socket.on('data', (part) => {
      answer += part.toString();
      if (/\+PONG|^-/m.test(answer)) socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
    socket.write(sent);
  });
}

/** Encodes a command in the Redis protocol. */
const command = (...words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

async function portDiagnosis(name: string, port: number): Promise<Diagnosis> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? ok(name, `Tieline runs at ${port}`) : fault(name, `something else is at ${port}`);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED'
      ? ok(name, `${port} is free`)
      : fault(name, `something else is at ${port}`);
  }
}

/** Checks settings without connecting anywhere. */
export function settingDiagnoses(env: Environment): Diagnosis[] {
  const isProduction = env.NODE_ENV === 'production';
  const found: Diagnosis[] = [];
  if (env.SECRET_KEY) {
    const bytes = Buffer.from(env.SECRET_KEY, 'base64').length;
    found.push(
      bytes === 32
        ? ok('secret key', '32 bytes')
        : fault('secret key', `SECRET_KEY has ${bytes} bytes, not 32: openssl rand -base64 32`),
    );
  } else if (isProduction) found.push(fault('secret key', 'SECRET_KEY is missing'));
  if (env.OPERATOR_TOKEN && env.OPERATOR_TOKEN.length < (isProduction ? 32 : 16))
    found.push(fault('operator token', 'OPERATOR_TOKEN is too short'));
  if (isProduction && env.EGRESS_ALLOW_HTTP && /^(true|1|yes|on)$/i.test(env.EGRESS_ALLOW_HTTP))
    found.push(warning('egress', 'EGRESS_ALLOW_HTTP lets events travel unencrypted'));
  if (isProduction && env.EGRESS_ALLOWED_CIDRS)
    found.push(warning('egress', `private addresses may be reached: ${env.EGRESS_ALLOWED_CIDRS}`));
  if (isProduction && !env.PUBLIC_URL?.startsWith('https://'))
    found.push(warning('public address', 'PUBLIC_URL is not https: cookies and links are not safe'));
  return found;
}
