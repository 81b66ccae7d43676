import { PlatformSettings } from '@tieline/platform/config';
import { SecretBox } from '@tieline/signing';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotsFixture, startBotsApi } from '../../testing/index.js';
import type { SeededBot } from '../../testing/index.js';
import { BOT_WEBHOOK_SECRET } from './webhook-secret.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' });
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const rotate = () => api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token });

describe('POST /bot/webhook/rotate_secret', () => {
  test('returns the new stored secret once', async () => {
    const { status, body } = await rotate();
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      signing_secret: expect.stringMatching(/^whsec_/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const [row] = await readRows<{ webhook_secret: Buffer }>(
      api.db,
      'SELECT webhook_secret FROM bots WHERE id = $1',
      [bot.id],
    );
    expect(
      SecretBox.fromSettings(api.app.get(PlatformSettings)).open(
        row!.webhook_secret,
        BOT_WEBHOOK_SECRET.aad({ id: bot.id }),
      ),
    ).toBe(body.signing_secret);
    const again = await rotate();
    expect(again.body.signing_secret).not.toBe(body.signing_secret);
    const audit = (await fixture.admin('GET', '/audit_log?limit=2')).body;
    expect(audit.entries[0]).toMatchObject({
      action: 'bot.webhook_secret_rotated',
      actor_id: bot.id,
      changes: {},
    });
    expect(JSON.stringify(audit)).not.toContain('whsec_');
  });
});

test('concurrent rotations hold two connections while they wait for each other', async () => {
  const { answers, waited } = await api.whileRowLocked('bots', bot.id, () =>
    Array.from({ length: 12 }, rotate),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
