import { timeGrowth } from '@tieline/testing';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { literalText } from './incoming-message.js';
import { literalMarkdown } from '@tieline/markup';

const ANNA = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';
const MENTION =
  /<@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}>|(?<![\p{L}\p{N}_])@(?:here|channel|all|everyone)\b/iu;
/** Parses texts like the console, but keeps escaped characters separate. */
const ofConsole = new MarkdownIt({ html: false, linkify: true, breaks: true });
ofConsole.core.ruler.disable('text_join');
/** Parses texts like notifications. */
const ofNotifications = new MarkdownIt();

type Token = ReturnType<typeof ofConsole.parse>[number];

/** Token types that render plain text, or a link that shows its own address. */
const PLAIN = ['paragraph_open', 'paragraph_close', 'inline'];
const PLAIN_INLINE = ['text', 'text_special', 'softbreak', 'link_open', 'link_close'];

function isPlain(token: Token): boolean {
  return PLAIN.includes(token.type) && (token.children ?? []).every(isPlainInline);
}

function isPlainInline({ type, markup }: Token): boolean {
  return PLAIN_INLINE.includes(type) && (type !== 'link_open' || ['linkify', 'autolink'].includes(markup));
}

/** Returns mentions outside of links and escapes. */
function mentionsIn(tokens: readonly Token[]): string[] {
  let depth = 0;
  return tokens.flatMap(({ type, nesting, content }) => {
    depth += nesting;
    return type === 'text' && depth === 0 && MENTION.test(content) ? content : [];
  });
}

function drawn(reader: typeof ofConsole, markdown: string): string {
  return reader
    .parse(markdown, {})
    .filter(({ type }) => type === 'inline')
    .map(({ children }) =>
      (children ?? []).map(({ type, content }) => (type === 'softbreak' ? '\n' : content)).join(''),
    )
    .join('\n\n');
}

/**
 * Returns the expected rendering: blank lines become one gap, and lines have no trailing white
 * space.
 */
function expected(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^[ \t]+/gm, (indentation) => indentation.replaceAll('\t', '    ').replaceAll(' ', '\u00A0'))
    .replaceAll(/\n{2,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}

function expectLiteral(text: string): void {
  const markdown = literalMarkdown(text);
  const tokens = ofConsole.parse(markdown, {});
  expect({ markdown, tokens: tokens.filter((token) => !isPlain(token)) }).toEqual({ markdown, tokens: [] });
  expect({ markdown, drawn: drawn(ofConsole, markdown) }).toEqual({ markdown, drawn: expected(text) });
  expect({ markdown, drawn: drawn(ofNotifications, markdown) }).toEqual({ markdown, drawn: expected(text) });
  expect(tokens.flatMap(({ children }) => mentionsIn(children ?? []))).toEqual([]);
  expect(markdown).not.toMatch(/<@[0-9a-f]{8}/i);
}

test.each([
  [
    'emphasis',
    'disk of *db1* and **db2** ~~gone~~',
    String.raw`disk of \*db1\* and \*\*db2\*\* \~\~gone\~\~`,
  ],
  ['dunder names', '/app/__init__.py', String.raw`/app/\_\_init\_\_.py`],
  ['globs (prometheus-msteams#243)', 'job=node_*_exporter_*', String.raw`job=node\_\*\_exporter\_\*`],
  ['names with underscores stay', 'node_exporter_build_info 2 * 3', 'node_exporter_build_info 2 * 3'],
  ['brackets stay', '[FIRING:2] HighCPU [a/b]', '[FIRING:2] HighCPU [a/b]'],
  ['links', '[Reset](https://evil.example)', String.raw`[Reset\](https://evil.example)`],
  ['headings', '# 1 disk full\n#5 stays', '\\# 1 disk full\n#5 stays'],
  ['underlined headings', 'Summary\n-------\nMore\n=', 'Summary\n\\-------\nMore\n\\='],
  ['lists', '- a\n+ b\n* c\n2024. year\n-5 stays', '\\- a\n\\+ b\n\\* c\n2024\\. year\n-5 stays'],
  ['quotes', '> bob said', String.raw`\> bob said`],
  ['tables', 'a | b\n--- | ---\n1 | 2', 'a | b\n\\--- | ---\n1 | 2'],
  ['code', '`a` ```b``` and it`s', '\\`a\\` \\`\\`\\`b\\`\\`\\` and it\\`s'],
  [
    'backslashes (nextcloud/spreed#13653)',
    String.raw`\\nas01\backup C:\_tmp`,
    String.raw`\\\nas01\backup C:\\\_tmp`,
  ],
  ['entities', '&amp; &#35; a & b', String.raw`\&amp; \&#35; a & b`],
  ['definitions of links', '[a]: https://x.example', String.raw`\[a]: https://x.example`],
  [
    'mentions',
    `<@${ANNA}> @channel @here me@heremail.example`,
    String.raw`\<\@${ANNA}> \@channel \@here me@heremail.example`,
  ],
  ['addresses', 'see https://x.example/a_b?c=1.', 'see https://x.example/a_b?c=1.'],
  ['addresses with marks', '(https://x.example/_a_/*b*/c)', '(<https://x.example/_a_/*b*/c>)'],
  ['indentation', 'a:\n  b: 1\n\tc', 'a:\n\u00A0\u00A0b: 1\n\u00A0\u00A0\u00A0\u00A0c'],
  ['HTML stays', '<b>x</b> a < b > c', '<b>x</b> a < b > c'],
])('%s', (_what, text, markdown) => {
  expect(literalMarkdown(text)).toBe(markdown);
  expectLiteral(text);
});

describe('any text is rendered literally and mentions nobody', () => {
  // No percent signs, because a link shows its address decoded.
  const units = [
    ...'*_~`<>|&[]()!#-+=:.\\@/"\'{}^$;,?',
    ...'ab1é🚀',
    ' ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '```',
    '~~~',
    '---',
    '***',
    '1. ',
    '- ',
    '> ',
    '# ',
    '](',
    ']: ',
    '&amp;',
    '<https://x.example>',
    'https://x.example/a',
    'http://x.example/_a_',
    'mailto:a@x.example',
    'a@x.example',
    'www.x.example',
    '@channel',
    '@here',
    '@all',
    `<@${ANNA}>`,
    '|---|---|',
    ':-:',
    '\u00A0',
    '—',
  ];
  const hostile = fc.array(fc.constantFrom(...units), { maxLength: 30 }).map((list) => list.join(''));

  test.each(['https://x.example/a[<](', 'https://x.example/a("<](', 'https://x.example/a{<*b*'])(
    'an address with a bracket before an angle bracket: %s',
    (text) => expectLiteral(text),
  );

  test('text made of markup', () => {
    fc.assert(fc.property(hostile, expectLiteral), { numRuns: 5000 });
  });

  test('a long text is cut without splitting an escape', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 10 }), (list) => {
        const notes: string[] = [];
        const text = literalText(`x${list.join('').repeat(4001)}x`, notes);
        expect([...text].length).toBeLessThanOrEqual(4000);
        expect(text).toMatch(/…$/u);
        expect(notes).toEqual([expect.stringMatching(/^text: cut at 4000 of \d+ characters$/)]);
      }),
      { numRuns: 20 },
    );
  });

  test('text made of any characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        expectLiteral,
      ),
      { numRuns: 2000 },
    );
  });
});

test.each([
  '*',
  '_',
  '`',
  '<',
  '<a:',
  '<::',
  'http://a<',
  'http://a(<',
  'https://',
  'https://((',
  '|-',
  '- ',
  '[a]: ',
  '\\',
  '&a',
  '@channel',
  '> ',
  '\n',
])('hostile input takes linear time: %j', (unit) => {
  expect(timeGrowth(literalMarkdown, unit, 2 ** 18)).toBeLessThan(7);
});
