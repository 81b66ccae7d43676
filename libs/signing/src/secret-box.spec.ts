import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox, SecretBoxError, deriveKey } from './secret-box.js';

const KEY = randomBytes(32);
const OLD_KEY = randomBytes(32);

function reasonOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof SecretBoxError ? error.reason : 'another error';
  }
}

describe('SecretBox', () => {
  const box = new SecretBox(KEY);

  it('opens what it sealed, for any text and purpose', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, purpose) => {
        expect(box.open(box.seal(text, purpose), purpose)).toBe(text);
      }),
    );
  });

  it('never seals the same text into the same bytes, nor reveals the text', () => {
    const sealed = [box.seal('whsec_hello', 'p'), box.seal('whsec_hello', 'p')];
    expect(sealed[0]).not.toEqual(sealed[1]);
    expect(sealed[0]!.includes('hello')).toBe(false);
  });

  it('does not open for another purpose', () => {
    expect(reasonOf(() => box.open(box.seal('s', 'outgoing:1'), 'outgoing:2'))).toBe('not authentic');
  });

  it('detects a change of any single bit', () => {
    const sealed = box.seal('secret', 'p');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(reasonOf(() => box.open(changed, 'p'))).toMatch(/^(malformed|unknown key|not authentic)$/);
    }
  });

  it('reports why a value does not open, if asked', () => {
    const reasons: string[] = [];
    const tryOpen = (sealed: Buffer): string | undefined =>
      box.tryOpen(sealed, 'p', (reason) => reasons.push(reason));
    expect(tryOpen(box.seal('s', 'p'))).toBe('s');
    expect(tryOpen(box.seal('s', 'q'))).toBeUndefined();
    expect(tryOpen(new SecretBox(OLD_KEY).seal('s', 'p'))).toBeUndefined();
    expect(reasons).toEqual(['not authentic', 'unknown key']);
    expect(() => tryOpen(undefined as unknown as Buffer)).toThrow(TypeError);
  });

  it('refuses truncated values', () => {
    const sealed = box.seal('', 'p');
    for (let length = 0; length < sealed.length; length++) {
      expect(reasonOf(() => box.open(sealed.subarray(0, length), 'p'))).toBe('malformed');
    }
    expect(box.open(sealed, 'p')).toBe('');
  });

  it('refuses values of another version', () => {
    const sealed = box.seal('secret', 'p');
    sealed[0]! += 1;
    expect(reasonOf(() => box.open(sealed, 'p'))).toBe('malformed');
  });

  it('opens values under an old key, seals under the current one, and tells which need re-encryption', () => {
    const before = new SecretBox(OLD_KEY).seal('secret', 'p');
    const after = new SecretBox(KEY, [OLD_KEY]);
    expect(after.open(before, 'p')).toBe('secret');
    const renewed = after.seal('secret', 'p');
    expect(new SecretBox(KEY).open(renewed, 'p')).toBe('secret');
    expect(reasonOf(() => new SecretBox(KEY).open(before, 'p'))).toBe('unknown key');
  });

  it('is created from the configuration, and refuses keys of another length', () => {
    const keys = { secretKey: KEY.toString('base64'), secretKeysOld: [OLD_KEY.toString('base64')] };
    expect(SecretBox.fromSettings(keys).open(new SecretBox(OLD_KEY).seal('s', 'p'), 'p')).toBe('s');
    expect(() => SecretBox.fromSettings({ secretKey: 'c2hvcnQ=', secretKeysOld: [] })).toThrow(RangeError);
    expect(() => new SecretBox(KEY, [randomBytes(16)])).toThrow(RangeError);
  });

  it('errors do not reveal the secret', () => {
    expect(() => box.open(box.seal('hello', 'outgoing:1'), 'outgoing:2')).toThrow(
      'stored secret cannot be opened: not authentic',
    );
  });
});

it('derives stable keys that differ by use and by key', () => {
  const secretKey = KEY.toString('base64');
  const key = deriveKey(secretKey, 'a');
  expect(deriveKey(secretKey, 'a').equals(key)).toBe(true);
  expect(deriveKey(secretKey, 'b').equals(key)).toBe(false);
  expect(deriveKey(OLD_KEY.toString('base64'), 'a').equals(key)).toBe(false);
  expect(key.export()).not.toEqual(KEY);
  expect(key.symmetricKeySize).toBe(32);
});
