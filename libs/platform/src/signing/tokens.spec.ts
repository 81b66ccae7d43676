import { createHash } from 'node:crypto';
import {
  hashToken,
  newBotToken,
  newCapabilityToken,
  newBareToken,
  newSigningSecret,
  newUserToken,
  tokenKind,
} from './tokens.js';

it.each([
  ['signing secret', newSigningSecret, /^whsec_[A-Za-z0-9+/]{43}=$/],
  ['bot token', newBotToken, /^tlb_[A-Za-z0-9_-]{43}$/],
  ['user token', newUserToken, /^tlu_[A-Za-z0-9_-]{43}$/],
  ['capability token', newCapabilityToken, /^tlc_[A-Za-z0-9_-]{43}$/],
  ['bare token', newBareToken, /^[A-Za-z0-9_-]{43}$/],
])('a %s has its shape and is new each time', (_name, make, shape) => {
  const made = Array.from({ length: 200 }, () => make());
  for (const token of made) expect(token).toMatch(shape);
  expect(new Set(made).size).toBe(made.length);
});

it('tells the kind of a token by its prefix', () => {
  expect(tokenKind(newBotToken())).toBe('bot');
  expect(tokenKind(newUserToken())).toBe('user');
  expect(tokenKind(newCapabilityToken())).toBe('capability');
  expect(tokenKind('xoxb-1')).toBeUndefined();
  expect(tokenKind('')).toBeUndefined();
});

it('hashes a token with SHA-256', () => {
  expect(hashToken('tlb_x')).toEqual(createHash('sha256').update('tlb_x').digest());
});
