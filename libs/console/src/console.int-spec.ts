import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { createHttpApp } from '@tieline/platform/http';
import { pino } from 'pino';
import { ConsoleModule } from './console.module.js';

const INDEX = '<!doctype html><title>the console</title>';

@Controller('api/v1/things')
class ThingsController {
  @Get()
  list(): object {
    return { ok: true };
  }
}

let folder: string;
let app: NestFastifyApplication;
let url: string;

/** Starts the api with the console of the folder. */
async function serve(variables: Record<string, string> = {}): Promise<void> {
  const environment = new Environment({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-0123',
    PUBLIC_URL: 'http://tieline.test:3000',
    ...variables,
  });
  @Module({
    imports: [ConfigModule.of(environment), ConsoleModule.of(folder)],
    controllers: [ThingsController],
  })
  class TestModule {}
  app = await createHttpApp(TestModule, { logger: pino({ level: 'silent' }), nestLogger: false });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
}

const get = (address: string, headers: Record<string, string> = {}) => fetch(url + address, { headers });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'console-'));
});

afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a built console', () => {
  beforeEach(async () => {
    await mkdir(path.join(folder, 'assets'));
    await writeFile(path.join(folder, 'index.html'), INDEX);
    await writeFile(path.join(folder, 'service-worker.js'), 'let all;');
    await writeFile(path.join(folder, 'assets/index-abc.js'), 'let one;');
    await writeFile(path.join(folder, 'assets/index-abc.js.br'), 'compressed');
    await serve();
  });

  it('serves one page at all of its addresses, not cached', async () => {
    for (const address of ['/', '/bots', '/bots/01a2', '/c/1/2', '/operator/', '/sign-in?x=1']) {
      const response = await get(address);
      expect([address, response.status, await response.text()]).toEqual([address, 200, INDEX]);
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('lets the page load only its own files, and forbids frames of other pages', async () => {
    const { headers } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types tieline-service-worker',
    ])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('serves its files with long-term caching, compressed if the browser accepts that', async () => {
    const plain = await get('/assets/index-abc.js', { 'accept-encoding': 'identity' });
    expect([plain.status, await plain.text()]).toEqual([200, 'let one;']);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
    const compressed = await get('/assets/index-abc.js', { 'accept-encoding': 'br' });
    expect(compressed.headers.get('content-encoding')).toBe('br');
  });

  it('serves the service worker at the top level, not cached, and it may only call the api', async () => {
    const worker = await get('/service-worker.js');
    expect([worker.status, await worker.text()]).toEqual([200, 'let all;']);
    expect(worker.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
  });

  it('leaves every other address to the api, with its own errors', async () => {
    expect(await (await get('/api/v1/things')).json()).toEqual({ ok: true });
    for (const address of [
      '/api/v1/nothing',
      '/nothing',
      '/metrics',
      '/portal',
      '/assets/no.js',
      '/assets/../index.html',
    ]) {
      const response = await get(address);
      expect([address, response.status]).toEqual([address, 404]);
      expect(await response.json()).toMatchObject({ ok: false, code: 'not_found' });
    }
    expect((await fetch(`${url}/bots`, { method: 'POST' })).status).toBe(405);
  });
});

it.each([
  ['http://tieline.test:3000', {}],
  [
    'http://files.store.test:9000',
    {
      STORAGE_DRIVER: 's3',
      S3_ENDPOINT: 'http://store.test:9000',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    },
  ],
])('lets the page upload files to their store and show them: %s', async (store, variables) => {
  await writeFile(path.join(folder, 'index.html'), INDEX);
  await mkdir(path.join(folder, 'assets'));
  await serve(variables);
  const policy = (await get('/')).headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain(`connect-src 'self' ${store}`);
  expect(policy).toContain(`img-src 'self' data: blob: https: ${store}`);
  expect(policy).toContain(`media-src 'self' blob: https: ${store}`);
});

it('says so if the console was not built', async () => {
  await serve();
  const response = await get('/bots');
  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain('not built');
});
