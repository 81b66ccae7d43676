import { randomBytes } from 'node:crypto';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { InteractiveSettings } from '../interactive.settings.js';
import { ResponseTokens } from './response-tokens.js';
import type { ResponseSubject } from './response-subject.js';

const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const SPACE = id(1);
const SUBJECT: Omit<ResponseSubject, 'expiresAt'> = {
  kind: 'submit',
  id: id(2),
  botId: id(3),
  userId: id(4),
  conversationId: id(5),
  threadId: id(6),
  messageId: id(7),
};

function tokens(...keys: [Buffer, ...Buffer[]]): ResponseTokens {
  const [secretKey, ...secretKeysOld] = keys;
  const publicUrl = 'https://chat.example.com';
  const settings = { secretKey, secretKeysOld, publicUrl } as unknown as PlatformSettings;
  return new ResponseTokens(settings, new InteractiveSettings(new Environment({})));
}

const KEY = randomBytes(32);
const made = tokens(KEY);

test('a token contains its subject and expiry', () => {
  const before = Date.now();
  const { response_token: token, response_url: url } = made.issue(SPACE, SUBJECT);
  expect(url).toBe(`https://chat.example.com/api/v1/bot/responses/${token}`);
  expect(token).toMatch(/^tlr_[\w-]{180}$/);
  const { expiresAt, ...subject } = made.read(SPACE, token)!;
  expect(subject).toEqual(SUBJECT);
  expect(expiresAt - 1_800_000).toBeGreaterThanOrEqual(before);
  expect(expiresAt - 1_800_000).toBeLessThanOrEqual(Date.now());
});

test('a subject without thread and message is preserved', () => {
  const none = { ...SUBJECT, kind: 'command', threadId: null, messageId: null } as const;
  expect(made.read(SPACE, made.issue(SPACE, none).response_token)).toMatchObject(none);
});

test('tokens of other spaces or keys, changed tokens and other texts are rejected', () => {
  const { response_token: token } = made.issue(SPACE, SUBJECT);
  expect(made.read(id(9), token)).toBeUndefined();
  expect(tokens(randomBytes(32)).read(SPACE, token)).toBeUndefined();
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    expect(made.read(SPACE, token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
  }
  for (const none of ['', 'tlr_', 'tlr_AAAA', token.slice(0, -1), `${token}AAAA`, token.slice(4)])
    expect(made.read(SPACE, none)).toBeUndefined();
});

test('a token issued before a rotation of SECRET_KEY is read with the old key', () => {
  const { response_token: token } = made.issue(SPACE, SUBJECT);
  expect(tokens(randomBytes(32), KEY).read(SPACE, token)).toMatchObject(SUBJECT);
});
