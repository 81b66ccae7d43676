import fc from 'fast-check';
import { countNodes, limitedNodes, MAX_NODES } from './limited.js';

/** Texts that expand to many Markdown nodes. */
const PIECES = [
  '|',
  '|---',
  '|---|---|\n',
  '\n',
  '\n\n',
  '* ',
  '- ',
  '1. ',
  '> ',
  '*a* ',
  '**b** ',
  '`c` ',
  '~~d~~ ',
  'word ',
  '<@0198f3a2-7c1b-7a10-9d1a-3f1d2c4b5a60> ',
  'https://a.example ',
  '[x](https://b.example) ',
  '# ',
  '```\n',
  '---\n',
  '\\',
];
const texts = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 400 })), { maxLength: 12 })
  .map((parts) =>
    parts
      .map(([piece, times]) => piece.repeat(times))
      .join('')
      .slice(0, 4000),
  );

test('no message renders more than 2,000 nodes, and no word is lost', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const nodes = limitedNodes(text);
      expect(countNodes(nodes)).toBeLessThanOrEqual(MAX_NODES);
      if (nodes.length === 1 && nodes[0]?.kind === 'plain') expect(nodes[0].text).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test('a table whose short rows would be completed to 65,700 cells is shown as text', () => {
  const text = `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'|\n'.repeat(1300)}`;
  expect(limitedNodes(text)).toEqual([{ kind: 'plain', text }]);
});

test('an ordinary table and a long list are rendered', () => {
  const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(100)}`;
  expect(limitedNodes(table)).toMatchObject([{ kind: 'element', name: 'table' }]);
  expect(limitedNodes('- entry\n'.repeat(300))).toMatchObject([{ kind: 'element', name: 'ul' }]);
});
