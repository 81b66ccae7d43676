import { noticeText } from './notice-text.js';
import { noticeWords } from './words.js';

const off = (name: string) => ({
  kind: 'outgoing_webhook.auto_disabled',
  text: `Outgoing webhook "${name}" was disabled after 100 consecutive failed deliveries.`,
});

it("is in the user's language and contains the name of its subject, whatever the name contains", () => {
  expect(noticeText(off('Pager'), noticeWords.ru)).toMatch(/^Исходящий вебхук «Pager» отключён/);
  expect(noticeText(off('The "old" one'), noticeWords.en)).toContain('“The "old" one”');
});

it("is the server's text for unknown kinds and missing names", () => {
  expect(noticeText({ kind: 'moon.risen', text: 'The moon "Io" rose.' }, noticeWords.ru)).toBe(
    'The moon "Io" rose.',
  );
  expect(noticeText({ kind: 'toString', text: 'A "b"' }, noticeWords.ru)).toBe('A "b"');
  expect(noticeText({ kind: off('').kind, text: 'No name.' }, noticeWords.ru)).toBe('No name.');
});
