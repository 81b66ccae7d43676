import { CreateMessage, EditMessage, PostMessage } from '@tieline/conversations';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { startTcpProxy } from '@tieline/testing';
import type { TcpProxy } from '@tieline/testing';
import { readMessage } from '../read-message.js';
import { startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';
import { findByToken } from './find-by-token.js';
import { PostKeyed } from '../keyed/post-keyed.js';
import { PostIncoming } from './post-incoming.js';

let harness: IncomingHarness;
let proxy: TcpProxy;
let cut: Db;
beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  proxy = await startTcpProxy(harness.api.db.pool.options.connectionString as string);
  cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
});
afterEach(async () => {
  proxy.cutWhen(() => undefined);
  await cut.close();
  await proxy.close();
});
afterAll(() => harness?.close());

async function post({ token }: TestWebhook, text: string, key?: string): Promise<string | undefined> {
  const webhook = await findByToken(harness.api.db)(token);
  const parsed = readMessage({ text });
  if (!webhook || !parsed.ok) throw new Error('no webhook, or no message');
  const createMessage = harness.api.app.get(CreateMessage, { strict: false });
  const editMessage = harness.api.app.get(EditMessage, { strict: false });
  const postKeyed = new PostKeyed(createMessage, editMessage);
  const postIncoming = new PostIncoming(cut, new PostMessage(cut, createMessage), postKeyed);
  const keyed = key === undefined ? undefined : { key, body: Buffer.from(text) };
  return (await postIncoming.run(webhook, parsed.message, { key: keyed })).messageId;
}

/**
 * Cuts the connection at the first match, and `more` later connections as soon as they send
 * something.
 */
function cutAt(pattern: RegExp, verdict: 'before' | 'after', more = 0): void {
  let cuts = 0;
  proxy.cutWhen((bytes) => {
    if (cuts > more || (cuts === 0 && !pattern.test(bytes.toString('latin1')))) return undefined;
    cuts += 1;
    return cuts === 1 ? verdict : 'before';
  });
}

const stored = async (webhook: TestWebhook): Promise<string[]> =>
  (await harness.history(webhook)).map(({ id }: { id: string }) => id);

test.each(['before', 'after'] as const)(
  'with a key: a message whose COMMIT is cut %s it reaches the server is posted once, even if the next connections fail too',
  async (verdict) => {
    const webhook = await harness.webhook();
    cutAt(/COMMIT/, verdict, 2);
    const id = await post(webhook, 'disk full', 'alert-1');
    expect(proxy.cuts).toBe(3);
    expect(await stored(webhook)).toEqual([id]);
    expect(await post(webhook, 'disk full', 'alert-1')).toBe(id);
  },
);

test.each([
  ['in a statement with others', () => 'disk full', /messages\.post_(many|if_free)/],
  ['in a separate transaction', () => `<@${harness.space.owner.id}> disk full`, /COMMIT/],
])(
  'without a key, %s: returns the message stored before the connection was lost',
  async (_, text, pattern) => {
    const webhook = await harness.webhook();
    cutAt(pattern, 'after', 2);
    const id = await post(webhook, text());
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(await stored(webhook)).toEqual([id]);
  },
);

test('without a key: a message that was not stored is an error and is posted only by the retry', async () => {
  const webhook = await harness.webhook();
  cutAt(/COMMIT|messages\.post_(many|if_free)/, 'before');
  await expect(post(webhook, 'disk full')).rejects.toThrow();
  expect(await stored(webhook)).toEqual([]);
  const id = await post(webhook, 'disk full');
  expect(await stored(webhook)).toEqual([id]);
});
