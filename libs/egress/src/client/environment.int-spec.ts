import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startReceiver } from '@tieline/testing';
import { TEST_CA, TEST_SERVER_CERTIFICATE, TEST_SERVER_KEY } from '@tieline/testing';

/**
 * Environment variables that must have no effect. They apply to a process from its start, so the
 * client runs in a separate one.
 */
const sources = new URL('..', import.meta.url);
const loader = new URL('../../../../tools/jest/typescript-loader.mjs', import.meta.url);

/** Posts once from a process with these variables; answers the result as the client gave it. */
async function postUnder(env: Record<string, string>, url: string): Promise<unknown> {
  const program = `
    import { EgressClient } from '${sources.href}client/egress-client.ts';
    import { EgressPolicy } from '${sources.href}policy/egress-policy.ts';
    const policy = new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'] });
    const client = new EgressClient(policy, { version: '1' });
    const result = await client.post({ url: ${JSON.stringify(url)}, headers: {}, body: Buffer.from('{}'), timeoutMs: 60_000 });
    console.log(JSON.stringify(result));
    await client.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', `--import=${loader.href}`, '--input-type=module', '-e', program],
    { cwd: fileURLToPath(sources), env },
  );
  return JSON.parse(stdout);
}

it('ignores the proxies of the environment', async () => {
  let proxied = 0;
  const proxy = net.createServer((socket) => {
    proxied++;
    socket.on('error', () => undefined).end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  const target = await startReceiver();
  try {
    const env = {
      HTTP_PROXY: address,
      http_proxy: address,
      HTTPS_PROXY: address,
      https_proxy: address,
      ALL_PROXY: address,
      NODE_USE_ENV_PROXY: '1',
    };
    expect(await postUnder(env, target.url)).toMatchObject({ kind: 'response', status: 200 });
    expect(proxied).toBe(0);
  } finally {
    proxy.close();
    await target.close();
  }
});

it('verifies certificates even if the environment disables that, also with an added authority', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieline-authority-'));
  const authority = path.join(folder, 'ca.pem');
  writeFileSync(authority, TEST_CA);
  let served = 0;
  const server = createServer(
    { key: TEST_SERVER_KEY, cert: TEST_SERVER_CERTIFICATE },
    (_request, response) => {
      served++;
      response.end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `https://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
    const result = await postUnder({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, url);
    expect(result).toMatchObject({ kind: 'transport_error', error: 'certificate not trusted' });
    expect(served).toBe(0);
    expect(await postUnder({ NODE_EXTRA_CA_CERTS: authority }, url)).toMatchObject({ status: 200 });
  } finally {
    rmSync(folder, { recursive: true });
    server.close();
  }
});
