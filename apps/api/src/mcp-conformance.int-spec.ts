import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { McpModule } from '@tieline/mcp';
import { diagnosticMcpModule } from '@tieline/mcp/testing';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { createHttpApp, serveOpenApi } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { AnswerFaults, createTestDatabase, testRedisUrl, TEST_ENVIRONMENT } from '@tieline/testing';
import { ApiModule } from './api.module.js';

/*
 * The conformance suite of the protocol's authors against the whole api. The suite needs Node.js 22
 * and the registry, which the product does not. Without them, the test says so.
 */

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const NODE = 'node@24.21.0';
const REVISION = '2026-07-28';
/** Needs a tool whose arguments are repeated in headers. Tieline has none. */
const UNTESTABLE = 'http-custom-header-server-validation';
/** Only diagnostic tools report progress, as a stream, which the OpenAPI document does not have. */
const STREAM = 'POST /mcp answered 200 event: message';

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description: string;
  errorMessage?: string;
}

const run = promisify(execFile);

/** Runs the suite's command with a fetched Node.js. */
const suite = (...args: string[]): Promise<{ stdout: string }> =>
  run(
    'npx',
    ['--yes', '--fetch-retries=1', '--fetch-timeout=60000', `--package=${NODE}`, `--package=${SUITE}`].concat(
      '--',
      'conformance',
      ...args,
    ),
    { env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1e8, timeout: 600_000 },
  );

/** Passes requests on with a token, which the suite cannot send. */
async function withToken(target: string, token: string): Promise<Server> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method, url } = incoming;
    const outgoing = request({ hostname, port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Starts the api with the diagnostic tools in this process. */
async function startApi(): Promise<{ url: string; close: () => Promise<void> }> {
  const database = await createTestDatabase();
  const redisUrl = await testRedisUrl();
  const environment = new Environment({
    ...TEST_ENVIRONMENT,
    DATABASE_URL: database.url,
    RATE_USER_WRITES_PER_SECOND: '1999',
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  });
  const logger = createLogger(new PlatformSettings(environment), 'api', { write: () => undefined });
  const api = ApiModule.of(environment, logger);
  const imports = api.imports?.map((one) => (one === McpModule ? diagnosticMcpModule() : one));
  const app = await createHttpApp({ ...api, imports }, { logger, nestLogger: new NestLogger(logger) });
  serveOpenApi(app, { description: 'for the conformance suite' });
  await app.listen(0, '127.0.0.1');
  const close = async (): Promise<void> => {
    await app.close();
    await database.drop();
  };
  return { url: await app.getUrl(), close };
}

/** Creates a space with a bot. @returns the bot's token */
async function createBot(url: string): Promise<string> {
  const create = async (path: string, token: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const space = { name: 'conformance', plan: 'enterprise' };
  const { owner_token: owner } = await create('operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, space);
  return (await create('admin/bots', owner as string, { display_name: 'suite' })).token as string;
}

/** Returns the checks of all scenarios, by scenario. */
function checksIn(folder: string): Record<string, Check[]> {
  const scenarios = readdirSync(folder).map((name) => {
    const checks = JSON.parse(readFileSync(path.join(folder, name, 'checks.json'), 'utf8')) as Check[];
    return [name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''), checks] as const;
  });
  return Object.fromEntries(scenarios);
}

test('the endpoint passes every server scenario of the revision and of the tasks extension', async () => {
  const missing = await suite('--version').then(
    () => undefined,
    (error: Error) => error.message.slice(0, 300),
  );
  if (missing !== undefined) {
    process.stderr.write(`\n!!! NOT CHECKED: the MCP conformance suite could not be fetched: ${missing}\n\n`);
    return;
  }
  const api = await startApi();
  const folder = mkdtempSync(path.join(tmpdir(), 'tieline-mcp-'));
  let proxy: Server | undefined;
  try {
    proxy = await withToken(api.url, await createBot(api.url));
    const { port } = proxy.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    await suite('server', '--url', url, '--requirements', REVISION, '--output-dir', folder).catch(
      () => undefined,
    );
    const checks = checksIn(folder);
    const all = Object.entries(checks).flatMap(([scenario, some]) =>
      some.map(({ id, status, errorMessage }) => ({ scenario, id, status, errorMessage })),
    );
    const statuses = all.map(({ status }) => status);
    const counts = [...new Set(statuses)].map(
      (status) => `${statuses.filter((one) => one === status).length} ${status}`,
    );
    process.stderr.write(
      `MCP conformance: ${counts.join(', ')} in ${Object.keys(checks).length} scenarios\n`,
    );
    const failures = all.filter(({ status }) => status === 'FAILURE');
    expect(failures.filter(({ scenario }) => scenario !== UNTESTABLE)).toEqual([]);
    for (const { errorMessage } of failures) expect(errorMessage).toMatch(/^Not testable/);
    expect(Object.keys(checks).filter((name) => name.startsWith('tasks-'))).toHaveLength(10);
    expect(all.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(170);
    const faults = AnswerFaults.ofThisTest().take();
    expect(faults.filter((line) => / answered \d/.test(line) && line !== STREAM)).toEqual([]);
  } finally {
    proxy?.closeAllConnections();
    proxy?.close();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 900_000);
