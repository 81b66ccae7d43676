import { execFileSync } from 'node:child_process';
import { eventually } from '../eventually.js';
import { startThreadReceiver } from './thread-receiver.js';
import type { ThreadReceiver } from './thread-receiver.js';

let receiver: ThreadReceiver;

beforeEach(async () => {
  receiver = await startThreadReceiver();
});

afterEach(() => receiver.close());

const post = (body: string, path = ''): Promise<Response> =>
  fetch(receiver.url + path, { method: 'POST', body, signal: AbortSignal.timeout(60_000) });

describe('startThreadReceiver', () => {
  it('passes on the requests that its thread received', async () => {
    const response = await post('{"a": "ü"}', '/hook?x=1');
    expect(response.status).toBe(200);
    await eventually(() => receiver.requests.length === 1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/hook?x=1' });
    expect(request?.headers['content-length']).toBe('11');
    expect(request?.body).toEqual(Buffer.from('{"a": "ü"}'));
  });

  it('uses the last configured response', async () => {
    await receiver.respond({ status: 429, body: { ok: false } });
    const refused = await post('');
    expect([refused.status, await refused.json()]).toEqual([429, { ok: false }]);
    await receiver.respond('reset');
    await expect(post('')).rejects.toThrow('fetch failed');
  });

  it('receives and responds while this process is blocked', () => {
    const program = `const { status } = await fetch(process.argv[1]); console.log(status);`;
    const args = ['--input-type=module', '--eval', program, receiver.url];
    expect(execFileSync(process.execPath, args, { timeout: 60_000 }).toString()).toBe('200\n');
  });
});
