import fc from 'fast-check';
import { mentionsChannel, mentionsHere } from '@tieline/conversations';
import { mentionTokens } from '@tieline/conversations/testing';
import { markdownNodes } from '@tieline/markup';
import type { Node } from '@tieline/markup';

const ID = '0198f3a2-7c1b-7000-8000-00000000000a';

/** Returns the mentions that the console renders. */
const drawn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'element') return drawn(node.children);
    return node.kind === 'mention' ? [node.id] : [];
  });

const counted = (text: string): string[] => [
  ...mentionTokens(text),
  ...(mentionsChannel(text) ? ['channel'] : []),
  ...(mentionsHere(text) ? ['here'] : []),
];

test('the console renders exactly the mentions that the server counts', () => {
  const piece = fc.constantFrom(
    ...[
      `<@${ID}>`,
      '@channel',
      '@here',
      '@all',
      '@Channel',
      '\\',
      '`',
      '```',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '    ',
    ],
    ...[
      '[',
      '](https://a.example)',
      'https://a.example/',
      'a.com/',
      '/',
      '//',
      'ftp://a.example/',
      'mailto:',
      '-',
      '.',
      'a',
      ' ',
      '*',
      '**',
      '&#64;',
    ],
    ...['<', '>', '!', '_', '@', '# '],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect([...new Set(drawn(markdownNodes(text)))].sort()).toEqual([...new Set(counted(text))].sort());
    }),
    { numRuns: 3000 },
  );
});

test.each(['@all', '@Channel', '@HERE', '`@here`', '> @channel', '[@here](https://a.example)', '\\@channel'])(
  '%s is not rendered as a mention',
  (text) => {
    expect(drawn(markdownNodes(text))).toEqual([]);
    expect(counted(text)).toEqual([]);
  },
);

test.each(['//a.example/**@here', 'ftp://a.example/**@here'])(
  'a mention counts after %s, which is no link because its scheme is not allowed',
  (text) => {
    expect(drawn(markdownNodes(text))).toEqual(['here']);
    expect(counted(text)).toEqual(['here']);
  },
);
