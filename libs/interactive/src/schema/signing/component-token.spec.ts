import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { ComponentKeys } from './component-keys.js';
import { signToken, verifyToken } from './component-token.js';
import type { TokenSubject } from './component-token.js';

const NOW = 1_790_000_000_000;
const SUBJECT: TokenSubject = { spaceId: 's', botId: 'b', actionId: 'go', data: '{"n":1}' };

const internal = randomBytes(32).toString('hex');
const keysOf = (more: Partial<ComponentKeys> = {}): ComponentKeys => ({
  generation: 3,
  internalKey: () => internal,
  secret: 'whsec_one',
  ...more,
});
const withoutSecret = keysOf({ secret: undefined });
const token = (keys = keysOf(), subject = SUBJECT): string => signToken(keys, subject, NOW + 1000);

describe('a signed token', () => {
  test('is valid until it expires', () => {
    expect(verifyToken(keysOf(), SUBJECT, token(), NOW)).toBe('ok');
    expect(verifyToken(keysOf(), SUBJECT, token(), NOW + 999)).toBe('ok');
    expect(verifyToken(keysOf(), SUBJECT, token(), NOW + 1000)).toBe('expired');
    expect(verifyToken(keysOf(), SUBJECT, signToken(keysOf(), SUBJECT, Date.now() + 5000))).toBe('ok');
  });

  test.each<[string, Partial<TokenSubject>]>([
    ['space', { spaceId: 't' }],
    ['bot', { botId: 'c' }],
    ['action', { actionId: 'og' }],
    ['data', { data: '{"n":2}' }],
    ['emptied data', { data: '' }],
    ['fields with another border', { actionId: 'go{', data: '"n":1}' }],
  ])('is invalid for another %s', (_, change) => {
    expect(verifyToken(keysOf(), { ...SUBJECT, ...change }, token(), NOW)).toBe('invalid');
  });

  test('is invalid under another secret of the same generation', () => {
    expect(verifyToken(keysOf({ secret: 'whsec_two' }), SUBJECT, token(), NOW)).toBe('invalid');
    expect(verifyToken(withoutSecret, SUBJECT, token(), NOW)).toBe('invalid');
  });

  test('is invalid after its generation', () => {
    expect(verifyToken(keysOf({ generation: 4 }), SUBJECT, token(), NOW)).toBe('rotated');
    expect(verifyToken(keysOf({ generation: 4 }), SUBJECT, token(), NOW + 5000)).toBe('rotated');
    expect(verifyToken(keysOf({ generation: 2 }), SUBJECT, token(), NOW)).toBe('invalid');
  });

  test('of the previous generation is valid while the previous secret is', () => {
    const overlapping = keysOf({ generation: 4, secret: 'whsec_two', previousSecret: 'whsec_one' });
    for (const made of [token(), token(withoutSecret), token(overlapping)])
      expect(verifyToken(overlapping, SUBJECT, made, NOW)).toBe('ok');
    const forged = signToken(keysOf({ secret: 'whsec_two' }), SUBJECT, NOW + 1000);
    expect(verifyToken(overlapping, SUBJECT, forged, NOW)).toBe('invalid');
    expect(verifyToken({ ...overlapping, generation: 5 }, SUBJECT, token(), NOW)).toBe('rotated');
  });

  test('signed with the internal key stays valid after a secret is set, until the generation changes', () => {
    const made = token(withoutSecret);
    expect(verifyToken(withoutSecret, SUBJECT, made, NOW)).toBe('ok');
    expect(verifyToken(keysOf(), SUBJECT, made, NOW)).toBe('ok');
    expect(verifyToken(keysOf({ generation: 4 }), SUBJECT, made, NOW)).toBe('rotated');
    expect(verifyToken(keysOf({ internalKey: () => 'another' }), SUBJECT, made, NOW)).toBe('invalid');
  });

  test('cannot be given another key, generation or expiry', () => {
    const [head, expiry, mac] = token().split('.') as [string, string, string];
    for (const forged of [
      `i3.${expiry}.${mac}`,
      `s4.${expiry}.${mac}`,
      `${head}.${Number(expiry) + 1}.${mac}`,
    ]) {
      expect(verifyToken(keysOf({ generation: Number(forged[1]) }), SUBJECT, forged, NOW)).toBe('invalid');
    }
  });

  test('is invalid if any character is changed', () => {
    const made = token();
    for (let index = 0; index < made.length - 1; index += 1) {
      const changed = made.slice(0, index) + (made[index] === '7' ? '8' : '7') + made.slice(index + 1);
      expect(verifyToken(keysOf(), SUBJECT, changed, NOW)).not.toBe('ok');
    }
  });

  test('has a bounded length, and other texts are invalid', () => {
    expect(token().length).toBeLessThan(80);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .tuple(fc.constantFrom('s3.', 'i3.', 's', ''), fc.string({ maxLength: 80 }))
            .map((parts) => parts.join('')),
        ),
        (text) => {
          expect(verifyToken(keysOf(), SUBJECT, text, NOW)).not.toBe('ok');
        },
      ),
    );
    for (const text of ['', `${token()}\n`, ` ${token()}`, 'x'.repeat(1_000_000), token().toUpperCase()])
      expect(verifyToken(keysOf(), SUBJECT, text, NOW)).toBe('invalid');
  });
});
