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
    [`\`<@${A}>\` <@${B}>`, [B]],
    [`\`\`\`\n<@${A}>\n\`\`\`\n<@${B}>`, [B]],
    [`    <@${A}>`, []],
    [`> <@${A}> said so\n\n<@${B}>`, [B]],
    [`> > <@${A}>\n> <@${A}>`, []],
    [`[see <@${A}>](https://a.example) <@${B}>`, [B]],
    [`https://a.example/<@${A}>`, [A]],
    [`<https://a.example/<@${A}>`, [A]],
    [`\\<@${A}>`, []],
    [`\\\\<@${A}>`, []],
    [`&lt;@${A}>`, []],
    [`<@${A}>/x <@${A}>-x <@${A}>@x <@${A}>.x`, []],
    [`<@${A}>. <@${B}>, x`, [A, B]],
    [`- **<@${A}>**\n- # <@${B}>`, [A, B]],
    [`| a |\n|---|\n| <@${A}> |`, [A]],
  ])('%s', (text, ids) => {
    expect(mentionTokens(text)).toEqual(ids);
  });

  test('are found in order, once each, in lower case, whatever surrounds them', () => {
    const id = fc.uuid().map((uuid) => (uuid.length % 2 ? uuid.toUpperCase() : uuid));
    // No Markdown, and nothing that would continue a token like an address.
    const letter = fc.constantFrom('a', 'é', '中', '7', ' ', ',', '!', '(', ')', '?', '😀', '\u0301');
    const between = fc.string({ unit: letter, maxLength: 20 }).map((text) => `x ${text.trim()}, `);
    fc.assert(
      fc.property(fc.array(fc.tuple(between, id, fc.boolean())), between, (parts, end) => {
        const text =
          parts.map(([before, uuid, upper]) => `${before}<@${upper ? uuid.toUpperCase() : uuid}> `).join('') +
          end;
        expect(mentionTokens(text)).toEqual([...new Set(parts.map(([, uuid]) => uuid.toLowerCase()))]);
      }),
    );
  });

  test('a text without a uuid in a token mentions no one', () => {
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

  test.each(['', ' look', ')', '!', ',', '\n', '😀', "'s", '.', '. Look', '.5', '**'])(
    'counts before %j',
    (after) => {
      expect(mentions(word + after)).toBe(true);
    },
  );

  test.each(['/ui', '/', '-wide', '-', '@1.0', '.example.com', '.é'])('does not count before %j', (after) => {
    expect(mentions(word + after)).toBe(false);
  });

  test.each<[string, (text: string) => string]>([
    ['a code span', (text) => `see \`${text}\` there`],
    ['a code span of two backticks', (text) => `\`\` ${text} \`\``],
    ['a fenced block', (text) => `\`\`\`\n${text}\n\`\`\``],
    ['a fence that is not closed', (text) => `~~~ sh\n${text}`],
    ['an indented block', (text) => `x\n\n    ${text}`],
    ['a block quote', (text) => `> bob said ${text}`],
    ['a line that continues a quote', (text) => `> bob said\n${text}`],
    ['a quote in a list', (text) => `- > ${text}`],
    ['the label of a link', (text) => `[for ${text} only](https://a.example)`],
    ['the target of a link', (text) => `[x](https://a.example/${text})`],
    ['an address', (text) => `https://medium.example/${text}/post-1`],
    ['an address without a scheme', (text) => `medium.com/${text}`],
    ['an address in angle brackets', (text) => `<https://a.example/${text}>`],
    ['the text of an image', (text) => `![${text}](https://a.example/i.png)`],
    ['an escape', (text) => `\\${text}`],
    ['an escaped backslash', (text) => `\\\\${text}`],
    ['an entity', (text) => text.replace('@', '&#64;')],
  ])('does not count in %s', (_, place) => {
    expect(mentions(place(word))).toBe(false);
    expect(mentions(`${place(word)}\n\nand ${word}`)).toBe(!place(word).startsWith('~~~'));
  });

  test.each(['**', '__', '*', '~~'])('counts within %s', (mark) => {
    expect(mentions(`${mark}${word}${mark}`)).toBe(true);
  });

  test.each(['# ', '- ', '1. ', '  '])('counts at the start of a line after %j', (before) => {
    expect(mentions(`text\n\n${before}${word} look`)).toBe(true);
  });

  test.each(['a', 'Z', 'é', 'ж', '中', '7', '٣', '_', 'e\u0301'])(
    'is another word after or before %j',
    (letter) => {
      expect(mentions(`${letter}${word}`)).toBe(false);
      expect(mentions(`${word}${letter}`)).toBe(false);
    },
  );

  test('one valid use among others is enough', () => {
    expect(mentions(`x${word} ${word}s and ${word}`)).toBe(true);
    expect(mentions(`x${word} ${word}s`)).toBe(false);
    expect(mentions(word.toUpperCase())).toBe(false);
    expect(mentions(`\u0301${word}`)).toBe(false);
  });

  test('only the adjacent characters decide', () => {
    const isWord = (text: string): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text);
    // Markdown and address-like text have their own tests.
    const around = fc
      .string({ unit: 'binary', maxLength: 12 })
      .map((text) => text.replace(/[\s!-/:-@[-`{-~\u0000-\u001f]/g, ''))
      .map((text) => text && `x${text}`.slice(1));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const expected = !isWord([...before].at(-1) ?? ' ') && !isWord([...after][0] ?? ' ');
        expect(mentions(`x ${before}${word}${after}`)).toBe(expected);
      }),
    );
  });
});
