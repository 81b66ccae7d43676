import { generateKeySync } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { readPortalToken, signPortalToken, verifyPortalToken } from './portal-token.js';

const newKey = () => generateKeySync('hmac', { length: 256 });
const keys = { key: newKey(), secret: 'whsec_one' };
const subject = { spaceId: uuidv7(), subscriptionId: uuidv7(), expiresAt: 1_800_000_000 };
const token = signPortalToken(keys, subject);
const NOW = 1_799_999_999_000;

test('a token names its subscription until it expires', () => {
  expect(readPortalToken(token, NOW)).toEqual(subject);
  expect(readPortalToken(token, NOW + 1000)).toBeUndefined();
});

test('it is valid only with its own keys', () => {
  expect(verifyPortalToken(keys, token)).toBe(true);
  expect(verifyPortalToken({ ...keys, secret: 'whsec_two' }, token)).toBe(false);
  expect(verifyPortalToken({ ...keys, key: newKey() }, token)).toBe(false);
});

test('it is invalid if any byte changes', () => {
  const bytes = Buffer.from(token.slice(4), 'base64url');
  for (let n = 0; n < bytes.length; n += 1) {
    const changed = Buffer.from(bytes);
    changed[n]! ^= 1;
    expect(verifyPortalToken(keys, `tlp_${changed.toString('base64url')}`)).toBe(false);
  }
});

test.each(['', 'tlp_', 'tlp_!', token.slice(0, -1), `${token}AAAA`, token.slice(4), 'x'.repeat(100_000)])(
  'anything else is no token: %#',
  (text) => {
    expect([readPortalToken(text, NOW), verifyPortalToken(keys, text)]).toEqual([undefined, false]);
  },
);
