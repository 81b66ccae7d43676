import { timeGrowth } from '@tieline/testing';
import fc from 'fast-check';
import { convertMarkup } from './markup.js';

const ANNA = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

test.each([
  ['bold', '*bold*', '**bold**'],
  ['italic', '_italic_', '*italic*'],
  ['strike', '~strike~', '~~strike~~'],
  ['a link with a label', '<https://x.example/a|text>', '[text](https://x.example/a)'],
  ['a link alone', '<https://x.example/a>', 'https://x.example/a'],
  ['entities', 'a &amp; b &lt;c&gt;', 'a & b <c>'],
  [
    'everything in one sentence',
    'The *deploy* of _v1.2_ ~failed~ at <https://ci.example/1|CI>.',
    'The **deploy** of *v1.2* ~~failed~~ at [CI](https://ci.example/1).',
  ],
])('%s', (_what, text, markdown) => {
  expect(convertMarkup(text)).toBe(markdown);
});

describe('where markers apply', () => {
  test.each([
    ['in brackets and quotes', '(*a*) "_b_" [~c~]', '(**a**) "*b*" [~~c~~]'],
    ['before punctuation', '*Status:* ok, *done*!', '**Status:** ok, **done**!'],
    ['over several words', '*two words* and _three more words_', '**two words** and *three more words*'],
    ['nested', '*_a_* _*b*_ *x _y_ z*', '***a*** ***b*** **x *y* z**'],
    ['beside an entity', '&lt;*a*&gt;', '<**a**>'],
    ['in any script', 'это *жирно* и _курсив_', 'это **жирно** и *курсив*'],
    [
      'around a link, an address and code',
      '*<https://x.example|l>* _https://x.example/a_ ~`c`~',
      '**[l](https://x.example)** *https://x.example/a* ~~`c`~~',
    ],
    ['around an emoji', '*🚀*', '**🚀**'],
    ['on each line by itself', '*a*\n_b_\r\n~c~', '**a**\n*b*\r\n~~c~~'],
    ['the nearest opener wins', '*a *b*', '*a **b**'],
  ])('%s', (_what, text, markdown) => {
    expect(convertMarkup(text)).toBe(markdown);
  });

  test.each([
    ['inside a word', 'snake_case_name 2*3*4 a~b~c слово_слово_слово'],
    ['a word begins right after', '*a*b _c_1'],
    ['spaces inside', '* a* *b * * c *'],
    ['a list', '* one\n* two'],
    ['no counterpart', '*a _b ~c'],
    ['across a line end', '*a\nb* _c\r\nd_'],
    ['Markdown already', '**bold** ~~gone~~ __init__ ***'],
    ['crossed by another code span', '`*a*` ``_b_`` `~c~`'],
    ['a fence', '```\n*a* <https://x.example|l>\n_b_\n```'],
    ['an address in running text', 'see https://x.example/_a_/*b*/~c~ there'],
    ['other brackets', '<b> a < b > c <> <not a link>'],
  ])('not: %s', (_what, text) => {
    expect(convertMarkup(text)).toBe(text);
  });

  test('unclosed backticks are ordinary characters', () => {
    expect(convertMarkup('`*a* and\nx ```_b_')).toBe('`**a** and\nx ```*b*');
  });

  test('markup inside other brackets applies', () => {
    expect(convertMarkup('<b>*a*</b>')).toBe('<b>**a**</b>');
  });
});

describe('angle brackets', () => {
  test.each([
    ['spaces around the bar', '< https://x.example | the label >', '[the label](https://x.example)'],
    ['an empty label', '<https://x.example|>', 'https://x.example'],
    ['mail', '<mailto:a@x.example|a@x.example>', '[a@x.example](mailto:a@x.example)'],
    [
      'markers in an address',
      '<https://x.example/_a_/*b*|l> <https://x.example/_a_>',
      '[l](https://x.example/_a_/*b*) https://x.example/_a_',
    ],
    ['an entity in an address', '<https://x.example/?a=1&amp;b=2|l>', '[l](https://x.example/?a=1&b=2)'],
    [
      'balanced brackets',
      '<https://x.example/a_(b)|[FIRING:1] disk>',
      '[[FIRING:1] disk](https://x.example/a_(b))',
    ],
    [
      'brackets that would end the link',
      '<https://x.example/a)b|c]d>',
      String.raw`[c\]d](https://x.example/a%29b)`,
    ],
    ['a person stays', `<@${ANNA}> <@${ANNA}|anna>`, `<@${ANNA}> <@${ANNA}>`],
    ['audiences', '<!channel> <!here|here> <!everyone> <!EVERYONE|all>', '@channel @here @channel @channel'],
    [
      'references that this chat does not have',
      '<#C024BE7LR|general> <!date^1392734382^{date}|Feb 18> <!subteam^S1|@sre>',
      '#general Feb 18 @sre',
    ],
    ['groups without a name, which mention no one', '<!group> <!subteam^S1>', '@group @group'],
    ['a date without a label', '<!date^1392734382^{date} at {time}>', '2014-02-18 14:39 UTC'],
    [
      'markup in a label',
      '<https://x.example/_a_|*all* jobs of _main_>',
      '[**all** jobs of *main*](https://x.example/_a_)',
    ],
    ['markup around and in a label', '*<https://x.example|_a_>*', '**[*a*](https://x.example)**'],
    [
      'a label that ends with a backslash',
      String.raw`<https://x.example|C:\logs\>`,
      String.raw`[C:\\logs\\](https://x.example)`,
    ],
    [
      'a label that contains a link',
      '<https://x.example|[a](javascript:b)>',
      String.raw`[\[a\](javascript:b)](https://x.example)`,
    ],
    ['a label with a lone tick', '<https://x.example|a`b> `c`', '[a\\`b](https://x.example) `c`'],
    ['a backslash in an address', String.raw`<https://x.example/\)|l>`, '[l](https://x.example/%5C%29)'],
    [
      'an exclamation mark before a link',
      'failed!<https://x.example|l> !<https://x.example>',
      String.raw`failed\![l](https://x.example) !https://x.example`,
    ],
    ['a person of another chat', '<@U024BE7LH> <@U024BE7LH|bob> <@U1|@eve>', '<@U024BE7LH> @bob @eve'],
    ['a channel without a name stays', '<#C024BE7LR> <#C1|>', '<#C024BE7LR> <#C1|>'],
    ['an address that would run', '<javascript:alert(1)|click> <data:text/html,x>', 'click data:text/html,x'],
    ['a line end inside', '<https://x.example|a\nb>', '<https://x.example|a\nb>'],
  ])('%s', (_what, text, markdown) => {
    expect(convertMarkup(text)).toBe(markdown);
  });
});

describe('text that is not markup in Slack is literal', () => {
  test.each([
    [
      'backslashes (nextcloud/spreed#13653)',
      String.raw`Backup to \\nas01\backup failed, see C:\_tmp\*.log`,
      String.raw`Backup to \\\nas01\backup failed, see C:\\_tmp\\*.log`,
    ],
    [
      'backslashes before markup',
      String.raw`\*a* \<https://x.example|l>`,
      String.raw`\\**a** \\[l](https://x.example)`,
    ],
    ['a backslash at the end of a line', 'a\\\nb', 'a\\\\\nb'],
    ['backslashes in code stay', '`C:\\_tmp\\` x', '`C:\\_tmp\\` x'],
    ['headings', '# 1 disk full\n#5\n## b', '\\# 1 disk full\n#5\n\\## b'],
    ['underlined headings', 'Summary\n-------\n\n---\nMore\n===', 'Summary\n\\-------\n\n---\nMore\n\\==='],
    ['lines of code', '```\n# a\n> b\nc\n```', '```\n# a\n> b\nc\n```'],
    ['a line after a quote', '> one\n> two\nthree\nfour', '> one\n> two\n\nthree\nfour'],
    ['an encoded mention', `&lt;@${ANNA}&gt;`, `\\<@${ANNA}>`],
  ])('%s', (_what, text, markdown) => {
    expect(convertMarkup(text)).toBe(markdown);
  });
});

describe("Mattermost's Markdown", () => {
  test.each([
    ['emphasis stays', '*a* _b_ ~c~ **d** | *x* |'],
    ['escapes stay', String.raw`\*escaped\* \<https://x.example|l>`],
    ['headings, quotes and entities stay', '# a\n> b\nc &amp; d'],
    ['an address alone stays', '<https://x.example/a> https://x.example'],
    ['code stays', '`<!channel>`\n```sh\n<https://x.example|l>\n```'],
  ])('%s', (_what, text) => {
    expect(convertMarkup(text, 'mattermost')).toBe(text);
  });

  test('the content of angle brackets is converted', () => {
    expect(
      convertMarkup(`<https://x.example|*l*> <!channel> <!here> <@${ANNA}> <@U1|bob>`, 'mattermost'),
    ).toBe(`[*l*](https://x.example) @channel @here <@${ANNA}> @bob`);
  });
});

test('entities are decoded once, last, and in code too', () => {
  expect(convertMarkup('&amp;lt; &amp;amp; `&lt;a&gt;` &quot; &lt;https://x.example|l&gt;')).toBe(
    '&lt; &amp; `<a>` &quot; <https://x.example|l>',
  );
});

describe('any text', () => {
  const units = [
    '*',
    '_',
    '~',
    '`',
    '```',
    '<',
    '>',
    '|',
    '&',
    'a',
    ' ',
    '\n',
    '\r',
    'é',
    '🚀',
    ':',
    '/',
    'http://',
    '&amp;',
    '!',
    '@',
  ];
  const hostile = fc.array(fc.constantFrom(...units)).map((list) => list.join(''));

  test('keeps its words and lines, and adds lines only around fences and quotes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const kept = (of: string): string => of.replaceAll(/[^é🚀]/gu, '');
        const lines = (of: string): string => (/```|>/.test(text) ? '' : of.replaceAll(/[^\n\r]/g, ''));
        const converted = convertMarkup(text);
        expect([kept(converted), lines(converted)]).toEqual([kept(text), lines(text)]);
      }),
      { numRuns: 1000 },
    );
  });

  test('stays unchanged without markup', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/[*_~<&`\\#=>-]/.test(text)),
        (text) => expect(convertMarkup(text)).toBe(text),
      ),
    );
  });

  test('a part is converted the same way whatever surrounds it', () => {
    const words: [string, string][] = [
      ['a', 'a'],
      ['*a*', '**a**'],
      ['_a b_', '*a b*'],
      ['~a~', '~~a~~'],
      ['a_b', 'a_b'],
      ['`*a*`', '`*a*`'],
      ['<x:y|*a*>', '[**a**](x:y)'],
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words)),
        fc.constantFrom(' ', '\n', ', ', ' (', ')-('),
        (list, between) => {
          expect(convertMarkup(list.map(([source]) => source).join(between))).toBe(
            list.map(([, shown]) => shown).join(between),
          );
        },
      ),
    );
  });
});

test.each([
  '*',
  '_',
  '~',
  '<',
  '>',
  '`',
  '```',
  '&',
  '*a ',
  '*a* ',
  '_*',
  '<a:b',
  '<a:b>',
  '!<a:b|*`[>',
  '<<>',
  '`a',
  '``a`',
  'http://',
  'a.',
  '*a\n',
  '[',
  '<http://x|',
  'http://..',
  '<@',
  '~_*',
])('hostile input takes linear time: %j', (unit) => {
  expect(timeGrowth((text) => convertMarkup(text), unit, 2 ** 20)).toBeLessThan(7);
});
