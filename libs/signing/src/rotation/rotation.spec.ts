import { randomBytes } from 'node:crypto';
import { ApiError } from '@tieline/platform/http';
import { Webhook } from 'standardwebhooks';
import { SecretBox } from '../secret-box.js';
import { newSigningSecret } from '../tokens.js';
import { signVersioned } from '../signing-schemes.js';
import { openLive, overlapping, serviceSignatures, signStandardWebhookLive } from './live-secrets.js';
import { previousSecretView } from './previous-secret.view.js';
import { overlapOf } from './rotate-secret.dto.js';

const body = Buffer.from('{"text":"Привет"}');
const [current, previous] = [newSigningSecret(), newSigningSecret()];
const now = new Date('2026-11-22T09:00:00Z');

describe('signatures', () => {
  const sign = (secret: string): string => signVersioned(secret, 1, body);

  it('use only the current secret without a previous one', () => {
    expect(serviceSignatures({ current }, sign)).toEqual({ 'X-Service-Signature': sign(current) });
    expect(signStandardWebhookLive({ current }, 'id', 1, body)).toMatch(/^v1,[^ ]+$/);
  });

  it('use both during the overlap', () => {
    expect(serviceSignatures({ current, previous }, sign)).toEqual({
      'X-Service-Signature': sign(current),
      'X-Service-Signature-Previous': sign(previous),
    });
  });

  it('are accepted by the Standard Webhooks library with either secret, and no other', () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'id',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhookLive({ current, previous }, 'id', timestamp, body),
    };
    for (const secret of [current, previous]) new Webhook(secret).verify(body.toString(), headers);
    expect(() => new Webhook(newSigningSecret()).verify(body.toString(), headers)).toThrow();
  });
});

describe('the columns of a rotation', () => {
  it('are the current secret and its expiry', () => {
    const { previousSecret, previousSecretExpiresAt } = overlapping('signing_secret', 3600, now);
    expect(previousSecret?.()).toBe('signing_secret');
    expect(previousSecretExpiresAt).toEqual(new Date('2026-11-22T10:00:00Z'));
  });

  it('are empty without overlap, so that an earlier overlap ends too', () => {
    expect(overlapping('signing_secret', 0, now)).toEqual({
      previousSecret: null,
      previousSecretExpiresAt: null,
    });
  });
});

describe('opening', () => {
  const box = new SecretBox(randomBytes(32));
  const stranger = new SecretBox(randomBytes(32));
  const open = (sealed: Buffer): string | undefined => box.tryOpen(sealed, 'p', () => undefined);

  it.each([
    ['both', box, box, { current, previous }],
    ['a previous one under an unknown key', box, stranger, { current }],
    ['a current one under an unknown key', stranger, box, undefined],
  ])('%s', (_what, ofCurrent, ofPrevious, opened) => {
    expect(openLive(ofCurrent.seal(current, 'p'), ofPrevious.seal(previous, 'p'), open)).toEqual(opened);
  });

  it('only one', () => {
    expect(openLive(box.seal(current, 'p'), null, open)).toEqual({ current });
  });
});

test('a view shows the expiry until it has passed', () => {
  const end = new Date('2026-11-22T10:00:00Z');
  expect(previousSecretView(end, now)).toEqual({ previous_secret_expires_at: '2026-11-22T10:00:00.000Z' });
  expect([previousSecretView(end, end), previousSecretView(null), previousSecretView(undefined)]).toEqual([
    {},
    {},
    {},
  ]);
});

describe('overlap_seconds', () => {
  it.each([
    [undefined, 0],
    [{}, 0],
    [{ overlap_seconds: null }, 0],
    [{ overlap_seconds: 604_800 }, 604_800],
  ])('of %j is %i', (given, seconds) => {
    expect(overlapOf(given)).toBe(seconds);
  });

  it.each([-1, 604_801, 1.5, '60', true])('is not %j', (overlap_seconds) => {
    expect(() => overlapOf({ overlap_seconds })).toThrow(ApiError);
  });
});
