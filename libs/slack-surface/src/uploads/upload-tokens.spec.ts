import { randomBytes, randomUUID } from 'node:crypto';
import type { PlatformSettings } from '@tieline/platform/config';
import { UploadTokens } from './upload-tokens.js';

const NOW = 1_795_000_000_000;
const SUBJECT = { spaceId: randomUUID(), id: randomUUID(), expiresAt: NOW / 1000 + 900 };
const KEY = randomBytes(32);

function tokensWith(secretKey: Buffer, ...secretKeysOld: Buffer[]): UploadTokens {
  const settings = { secretKey, secretKeysOld, publicUrl: 'https://chat.example.com' };
  return new UploadTokens(settings as unknown as PlatformSettings);
}

const tokens = tokensWith(KEY);
const url = tokens.urlOf(SUBJECT);
const token = url.slice(url.lastIndexOf('/') + 1);

test('an address is below /slack/ of PUBLIC_URL and names its file until it expires', () => {
  expect(url).toMatch(/^https:\/\/chat\.example\.com\/slack\/uploads\/[\w-]{96}$/);
  expect(tokens.read(token, NOW)).toEqual(SUBJECT);
  expect(tokens.read(token, SUBJECT.expiresAt * 1000)).toEqual(SUBJECT);
  expect(tokens.read(token, (SUBJECT.expiresAt + 1) * 1000)).toBeUndefined();
});

test('a changed token, one of another key and other texts are refused', () => {
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(tokens.read(token.slice(0, at) + other + token.slice(at + 1), NOW)).toBeUndefined();
  }
  expect(tokensWith(randomBytes(32)).read(token, NOW)).toBeUndefined();
  for (const text of ['', 'x', token.slice(1), `${token}A`, `${token.slice(1)}=`])
    expect(tokens.read(text, NOW)).toBeUndefined();
});

test('a token is valid after a rotation while the old key is configured', () => {
  expect(tokensWith(randomBytes(32), KEY).read(token, NOW)).toEqual(SUBJECT);
});
