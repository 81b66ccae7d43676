import { randomBytes } from 'node:crypto';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { InteractiveSettings } from '../interactive.settings.js';
import { TriggerIds } from './trigger-ids.js';
import type { TriggerSubject } from './trigger-ids.js';

const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const SPACE = id(1);
const SUBJECT: TriggerSubject = {
  ...{ botId: id(3), userId: id(4), conversationId: id(5), threadId: id(6), messageId: id(7) },
  actionId: 'deploy',
};

function triggers(...keys: [Buffer, ...Buffer[]]): TriggerIds {
  const [secretKey, ...secretKeysOld] = keys;
  const settings = { secretKey, secretKeysOld } as unknown as PlatformSettings;
  return new TriggerIds(settings, new InteractiveSettings(new Environment({})));
}

const KEY = randomBytes(32);
const own = triggers(KEY);

test('a trigger id contains its subject, an id of its own and the expiry', () => {
  const before = Date.now();
  const [first, second] = [own.issue(SPACE, SUBJECT), own.issue(SPACE, SUBJECT)];
  expect(first).toMatch(/^tlt_[\w-]+$/);
  const { id: ownId, expiresAt, ...subject } = own.read(SPACE, first)!;
  expect(subject).toEqual(SUBJECT);
  expect(ownId).not.toBe(own.read(SPACE, second)!.id);
  expect(expiresAt - 300_000).toBeGreaterThanOrEqual(before);
  expect(expiresAt - 300_000).toBeLessThanOrEqual(Date.now());
});

test('a subject without conversation, thread, message and action is preserved', () => {
  const subject = { ...SUBJECT, conversationId: null, threadId: null, messageId: null, actionId: '' };
  expect(own.read(SPACE, own.issue(SPACE, subject))).toMatchObject(subject);
});

test('another space, a changed character or another key is not accepted; an old key is', () => {
  const token = own.issue(SPACE, SUBJECT);
  expect(own.read(id(2), token)).toBeUndefined();
  for (const at of [5, 60, 150, token.length - 3])
    expect(
      own.read(SPACE, token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)),
    ).toBeUndefined();
  for (const other of ['', 'tlt_', 'tlt_AAAA', id(3), token.replace('tlt_', 'tlr_'), token.slice(0, 40)])
    expect(own.read(SPACE, other)).toBeUndefined();
  expect(triggers(randomBytes(32)).read(SPACE, token)).toBeUndefined();
  expect(triggers(randomBytes(32), KEY).read(SPACE, token)).toMatchObject(SUBJECT);
});
