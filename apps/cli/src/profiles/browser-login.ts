import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Login } from './profile-file.js';

/** Known to every Tieline (docs/cli.md#sign-in). */
const CLIENT_ID = 'tieline-cli';
const WAIT_MS = 15 * 60_000;
const TIMEOUT_MS = 30_000;

/** Metadata of the provider (RFC 8414). */
interface Provider {
  issuer: string;
  authorization_endpoint: string;
  scopes_supported: string[];
}

/**
 * Signs in through the browser: an authorization code with PKCE for a loopback address (RFC 8252).
 * The code is sent only to `url`.
 *
 * @throws Failure if the person refuses, an admin must approve the command line first, or nothing
 * happens for a quarter of an hour
 */
export async function loginInBrowser(terminal: Terminal, url: string): Promise<Login> {
  const base = url.replace(/\/+$/, '');
  const provider = await discover(base);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const address = new URL(provider.authorization_endpoint);
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      scope: provider.scopes_supported.join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    terminal.err(`Sign in at ${address.href}`);
    openBrowser(address.href);
    const code = await codeFrom(server, { state, issuer: provider.issuer, signal: terminal.signal });
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier };
    return await requestTokens(base, { ...form, redirect_uri: redirectUri });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Renews a login. @throws Failure if it has ended */
export function renewLogin(url: string, { refreshToken }: Login): Promise<Login> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return requestTokens(url.replace(/\/+$/, ''), form);
}

/** Revokes the tokens of a login, if Tieline can be reached. */
export async function revokeLogin(url: string, { refreshToken: token }: Login): Promise<void> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, token });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const address = `${url.replace(/\/+$/, '')}/oauth/revoke`;
  await fetch(address, { method: 'POST', body, signal, redirect: 'error' }).catch(() => undefined);
}

async function discover(base: string): Promise<Provider> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const address = `${base}/.well-known/oauth-authorization-server`;
  const response = await fetch(address, { signal, redirect: 'error' }).catch(() => undefined);
  const found = (await response?.json().catch(() => undefined)) as Provider | undefined;
  if (!response?.ok || !found || !URL.canParse(found.authorization_endpoint))
    throw new Failure(`no Tieline responds at ${base}`, EXIT.unreachable);
  return found;
}

interface Expected {
  state: string;
  issuer: string;
  signal: AbortSignal;
}

/** Waits for the browser. Requests that do not belong to this sign-in are refused and ignored. */
async function codeFrom(server: Server, { state, issuer, signal }: Expected): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  return new Promise<string>((resolve, reject) => {
    timer = setTimeout(() => reject(new Failure('nobody signed in', EXIT.refused)), WAIT_MS);
    signal.addEventListener('abort', () => reject(new DOMException('interrupted', 'AbortError')));
    server.on('request', ({ url = '/' }, response) => {
      const { pathname, searchParams: query } = new URL(url, 'http://127.0.0.1');
      if (pathname !== '/callback' || query.get('state') !== state || query.get('iss') !== issuer)
        return answer(response, 400, 'This sign-in was not started here.');
      const code = query.get('code');
      if (code) {
        answer(response, 200, 'Signed in. You can close this page.');
        return response.once('close', () => resolve(code));
      }
      const reason = query.get('error_description') ?? query.get('error') ?? 'refused';
      answer(response, 200, `Not signed in: ${reason}`);
      return response.once('close', () => reject(new Failure(`not signed in: ${reason}`, EXIT.refused)));
    });
  }).finally(() => clearTimeout(timer));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text);
}

async function requestTokens(base: string, form: Record<string, string>): Promise<Login> {
  const body = new URLSearchParams({ ...form, client_id: CLIENT_ID });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body, signal, redirect: 'error' });
  const answered = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answered;
  if (!response.ok || typeof accessToken !== 'string' || typeof refreshToken !== 'string')
    throw new Failure('the sign-in has ended', EXIT.refused, 'sign in again: `tieline login`');
  return { accessToken, refreshToken, expiresAt: Date.now() + Number(seconds) * 1000 };
}

/** Opens a page, if this machine can. The address is also printed. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const child = spawn(command!, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
