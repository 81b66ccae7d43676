import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createTestDatabase, TEST_ENVIRONMENT } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { call, expectOk, createWorkspace, post, subscribe, textsOf, Tieline } from '../tieline.js';

const COMMANDS = fileURLToPath(new URL('../../../api/dist/', import.meta.url));

let tieline: Tieline;
let target: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieline-transfer-'));
  tieline = await Tieline.create();
  target = await createTestDatabase();
});
afterAll(async () => {
  await tieline?.close();
  await target?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs one of the api's commands like an operator. */
function command(
  name: string,
  databaseUrl: string,
  file: string,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [`${COMMANDS}${name}.js`, file], {
    env: { ...TEST_ENVIRONMENT, DATABASE_URL: databaseUrl },
  });
}

/** Returns the number of rows and a hash of each table that an export contains. */
async function contents(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND relpersistence = 'p' AND relname <> 'schema_migrations'
         AND obj_description(oid, 'pg_class') IS DISTINCT FROM 'derived' ORDER BY 1`,
    );
    const all: Record<string, unknown> = {};
    for (const { name } of tables)
      all[name] = (
        await client.query(
          `SELECT count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM ${name} t`,
        )
      ).rows[0];
    return all;
  } finally {
    await client.end();
  }
}

test('a used database continues on another server, and neither it nor the logs contain tokens or secrets', async () => {
  const [api, worker] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  const { secret } = await subscribe(api, workspace, `${receiver.url}/hook`);
  for (let n = 0; n < 20; n += 1) await post(api, workspace, `before ${n}`);
  await receiver.waitFor(20);
  await api.kill();
  await worker.kill();

  const file = path.join(folder, 'tieline.export');
  const before = await contents(tieline.databaseUrl);
  expect((await command('export', tieline.databaseUrl, file)).stdout).toMatch(
    /^\d+ rows in .*tieline\.export\n$/,
  );
  expect((await command('import', target.url, file)).stdout).toMatch(/^\d+ rows from /);
  expect(await contents(target.url)).toEqual(before);
  expect(
    Object.values(before).filter((table) => (table as { count: string }).count !== '0').length,
  ).toBeGreaterThan(15);
  const secrets = [workspace.ownerToken, workspace.botToken, secret];
  const everything = gunzipSync(readFileSync(file)).toString('latin1');
  for (const text of secrets.map((one) => one.slice(-20))) {
    expect(everything).not.toContain(text);
    expect(api.output() + worker.output()).not.toContain(text);
  }
  expect(api.output() + worker.output()).not.toContain('before 7');
  expect(everything).toContain('before 7');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  await expect(command('import', target.url, file)).rejects.toThrow(/the database is in use/);

  const nowhere = path.join(folder, 'nowhere', 'file');
  for (const [name, url] of [
    ['export', tieline.databaseUrl],
    ['import', target.url],
  ] as const)
    await expect(command(name, url, nowhere)).rejects.toMatchObject({
      stderr: expect.stringMatching(/^ENOENT: .*\n$/),
    });

  const moved = await tieline.start('api', { DATABASE_URL: target.url });
  await tieline.start('worker', { DATABASE_URL: target.url });
  const messages = await expectOk(
    call(moved, 'GET', `/api/v1/channels/${workspace.channels[0]}/messages?limit=50`, workspace.ownerToken),
  );
  expect(messages.messages).toHaveLength(20);
  await post(moved, workspace, 'after');
  const request = await receiver.waitFor((one) => one.body.includes('after'));
  expect(() =>
    new Webhook(secret).verify(request.body.toString(), request.headers as Record<string, string>),
  ).not.toThrow();
  expect(textsOf(receiver).size).toBe(21);
  expect(receiver.requests).toHaveLength(21);
});
