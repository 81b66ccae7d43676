import { createHash } from 'node:crypto';
import { hashToken, newSigningSecret, newToken } from './tokens.js';

it.each([
  ['signing secret', newSigningSecret, /^whsec_[A-Za-z0-9+/]{43}=$/],
  ['bearer token', () => newToken('tlb_'), /^tlb_[A-Za-z0-9_-]{43}$/],
  ['token of an address', () => newToken(), /^[A-Za-z0-9_-]{43}$/],
])('a %s has its shape and is new each time', (_name, make, shape) => {
  const made = Array.from({ length: 200 }, () => make());
  for (const token of made) expect(token).toMatch(shape);
  expect(new Set(made).size).toBe(made.length);
});

it('hashes a token with SHA-256', () => {
  expect(hashToken('tlx_x')).toEqual(createHash('sha256').update('tlx_x').digest());
});
