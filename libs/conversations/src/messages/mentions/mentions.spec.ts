import fc from 'fast-check';
import { mentionsChannel, mentionsHere, mentionTokens } from './mentions.js';

const A = '0198f3a2-7c1b-7000-8000-00000000000a';
const B = '0198f3a2-7c1b-7000-8000-00000000000b';

describe('mention tokens', () => {
  test.each([
    ['', []],
    ['no token', []],
    [`<@${A}>`, [A]],
    [`hi <@${A.toUpperCase()}>!`, [A]],
    [`<@${A}><@${B}> <@${A}>`, [A, B]],
    [`x<@${B}>y<@${A}>`, [B, A]],
    [`<@ ${A}>`, []],
    [`<@${A}`, []],
    [`@${A}`, []],
    [`<@${A}0>`, []],
    [`<@${A.slice(1)}>`, []],
    [`<!${A}>`, []],
    [`<<@${A}>>`, [A]],
    ['<@here>', []],
  ])('%s', (text, ids) => {
    expect(mentionTokens(text)).toEqual(ids);
  });

  test('whatever stands around tokens, they are found in order, once each, in lower case', () => {
    const id = fc.uuid().map((uuid) => (uuid.length % 2 ? uuid.toUpperCase() : uuid));
    const between = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('<@'));
    fc.assert(
      fc.property(fc.array(fc.tuple(between, id, fc.boolean())), between, (parts, end) => {
        const text =
          parts.map(([before, uuid, upper]) => `${before}<@${upper ? uuid.toUpperCase() : uuid}>`).join('') +
          end;
        expect(mentionTokens(text)).toEqual([...new Set(parts.map(([, uuid]) => uuid.toLowerCase()))]);
      }),
    );
  });

  test('a text that holds no uuid in a token mentions nobody', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '@', '>', '0', 'a', '-', ' '), maxLength: 60 }),
        (text) => {
          const ids = mentionTokens(text);
          expect(ids.every((id) => text.includes(`<@${id}>`))).toBe(true);
        },
      ),
    );
  });
});

describe.each([
  ['@channel', mentionsChannel],
  ['@here', mentionsHere],
] as const)('%s as a word', (word, mentions) => {
  test.each(['', 'look ', '(', '<', '"', '@', '-', '\n', '😀', '.', '…', 'a '])(
    'counts after %j',
    (before) => {
      expect(mentions(before + word)).toBe(true);
    },
  );

  test.each(['', ' look', ')', '!', ',', '-wide', '\n', '😀', "'s", '.', '/'])(
    'counts before %j',
    (after) => {
      expect(mentions(word + after)).toBe(true);
    },
  );

  test.each(['a', 'Z', 'é', 'ж', '中', '7', '٣', '_', 'e\u0301'])(
    'is another word after or before %j',
    (letter) => {
      expect(mentions(`${letter}${word}`)).toBe(false);
      expect(mentions(`${word}${letter}`)).toBe(false);
    },
  );

  test('one proper use among others is enough', () => {
    expect(mentions(`x${word} ${word}s and ${word}`)).toBe(true);
    expect(mentions(`x${word} ${word}s`)).toBe(false);
    expect(mentions(word.toUpperCase())).toBe(false);
    expect(mentions(`\u0301${word}`)).toBe(false);
  });

  test('what stands next to it decides, and nothing else', () => {
    const isWord = (text: string): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text);
    const around = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('@'));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const expected = !isWord([...before].at(-1) ?? ' ') && !isWord([...after][0] ?? ' ');
        expect(mentions(before + word + after)).toBe(expected);
      }),
    );
  });
});
