import { noticeText } from './notice-text.js';
import { noticeWords } from './words.js';

const off = (name: string) => ({
  kind: 'outgoing_webhook.auto_disabled',
  text: `Outgoing webhook "${name}" was switched off after 100 consecutive failed deliveries.`,
});

it('is in the language of the reader, with the name of what it is about, whatever is in that', () => {
  expect(noticeText(off('Pager'), noticeWords.ru)).toMatch(/^Исходящий вебхук «Pager» отключён/);
  expect(noticeText(off('The "old" one'), noticeWords.en)).toContain('“The "old" one”');
});

it('of a kind that is not known, and without a name, it is what the server says', () => {
  expect(noticeText({ kind: 'moon.risen', text: 'The moon "Io" rose.' }, noticeWords.ru)).toBe(
    'The moon "Io" rose.',
  );
  expect(noticeText({ kind: 'toString', text: 'A "b"' }, noticeWords.ru)).toBe('A "b"');
  expect(noticeText({ kind: off('').kind, text: 'No name.' }, noticeWords.ru)).toBe('No name.');
});
