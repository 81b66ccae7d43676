import { byBot } from '@tieline/spaces';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import { ChatFixture } from '@tieline/conversations/testing';
import { LiveHarness } from '@tieline/live-stream/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { ComponentSigner } from './component-signer.js';
import { verifyToken } from './component-token.js';
import { findComponentState } from '../../config/interactive-config.queries.js';
import { InteractiveModule } from '../../interactive.module.js';
import { SuppliedClicks } from '../../testing/index.js';
import { MetadataVisibilityModule } from '../metadata-visibility.js';
import { parseMetadata } from '../metadata.js';
import type { Metadata } from '../metadata.js';
import { RotateButtonsSecret } from '../../config/rotate-buttons-secret.js';
import { SetCallbackUrl } from '../../config/set-callback-url.js';

const BUTTON = { type: 'button', action_id: 'go', text: 'Go' };
const metadata = (...elements: object[]): Metadata =>
  parseMetadata(JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] }))!;

describe('signing while the secret is rotated', () => {
  let api: TestApi;
  let fixture: BotsFixture;

  beforeAll(async () => {
    api = await startBotsApi({}, [SuppliedClicks.of(), InteractiveModule]);
    fixture = await BotsFixture.of(api);
  });
  afterAll(() => api?.close());

  test('the rotation waits until messages signed before it are stored', async () => {
    const { id: botId } = await fixture.bot();
    const requester = { spaceId: fixture.space.spaceId, botId, origin: byBot({ botId }, '127.0.0.1') };
    await api.app.get(SetCallbackUrl).run(requester, 'https://93.184.215.14/');
    const order: string[] = [];
    let rotated: Promise<unknown> | undefined;
    const json = await runInWorkerTx(api.db, async (tx) => {
      await mayIdle(tx);
      const signed = await api.app.get(ComponentSigner).sign(tx, requester, metadata(BUTTON));
      rotated = api.app
        .get(RotateButtonsSecret)
        .run(requester, 0)
        .then(() => order.push('rotated'));
      const pid = await pidOf(tx);
      await eventually(() => blocksSomebody(pid));
      order.push('stored');
      return signed;
    });
    await rotated;
    expect(order).toEqual(['stored', 'rotated']);
    const [{ signed_token: token }] = JSON.parse(json).blocks[0].elements;
    const keys = (await findComponentState(api.db, api.app.get(SecretBox), requester.spaceId, botId))!.keys;
    expect(verifyToken(keys, { spaceId: requester.spaceId, botId, actionId: 'go', data: '' }, token)).toBe(
      'rotated',
    );
  });

  test('metadata without interactive blocks runs no query and stays as it was sent', async () => {
    const plain = parseMetadata('{ "blocks": [ ], "n": 12345678901234567890 }')!;
    const noDatabase = undefined as unknown as Tx;
    expect(
      await api.app.get(ComponentSigner).sign(noDatabase, { spaceId: uuidv7(), botId: uuidv7() }, plain),
    ).toBe(plain.json);
  });

  test('only messages whose buttons are all links need neither a callback nor poll mode', async () => {
    const { id: botId } = await fixture.bot();
    const signer = api.app.get(ComponentSigner);
    const link = { ...BUTTON, url: 'https://example.com/' };
    const sign = (...elements: object[]): Promise<string> =>
      runInWorkerTx(api.db, (tx) =>
        signer.sign(tx, { spaceId: fixture.space.spaceId, botId }, metadata(...elements)),
      );
    expect(await sign(link, { ...link, action_id: 'other' })).toContain('signed_token');
    await expect(sign(link, { ...BUTTON, action_id: 'other' })).rejects.toMatchObject({
      code: 'interactive_blocks_undeliverable',
    });
  });

  async function pidOf(tx: Tx): Promise<number> {
    return (await readRows<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid'))[0]!.pid;
  }

  /** Returns whether another backend waits for a lock that this one holds. */
  async function blocksSomebody(pid: number): Promise<boolean> {
    return (
      (await api.db.query('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [pid]))
        .length > 0
    );
  }
});

test('live streams show each person the elements for them', async () => {
  const harness = await LiveHarness.start(1, {}, MetadataVisibilityModule);
  try {
    const space = await seedSpace(harness.db);
    const [ann, bob] = [await space.person('member'), await space.person('member')];
    const chat = new ChatFixture(harness.db, space.spaceId);
    const author = { id: uuidv7(), type: 'bot' as const };
    const channel = await chat.conversation({
      members: [chat.member('user', ann.id), chat.member('user', bob.id), author],
    });
    const streams = await Promise.all([harness.api.open(ann.token), harness.api.open(bob.token)]);
    const elements = [
      { ...BUTTON, signed_token: 't1' },
      { ...BUTTON, action_id: 'hers', visibility_user_ids: [ann.id], signed_token: 't2' },
    ];
    await chat.post(channel, author, 'Deploy?', {
      metadataJson: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] }),
    });
    await Promise.all(streams.map((stream) => stream.until(({ events }) => events.length === 1)));
    const [anns, bobs] = streams.map(
      ({ events }) => JSON.parse(events[0]!.metadata_json as string).blocks[0].elements,
    );
    expect(anns).toEqual([elements[0], { ...BUTTON, action_id: 'hers', signed_token: 't2' }]);
    expect(bobs).toEqual([elements[0]]);
  } finally {
    await harness.close();
  }
});
