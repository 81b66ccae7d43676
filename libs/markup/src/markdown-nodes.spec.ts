import { markdownNodes, plainText, withMentions } from './markdown-nodes.js';

it('treats HTML as text and allows only web and mail links', () => {
  expect(plainText(markdownNodes('<img src=x onerror=alert(1)> **bold**'))).toBe(
    '<img src=x onerror=alert(1)> bold',
  );
  const links = JSON.stringify(
    markdownNodes('[a](https://example.com) [b](javascript:alert(1)) [c](data:text/html,x) [d](/api)'),
  );
  expect(links.match(/"href":"[^"]*"/g)).toEqual(['"href":"https://example.com"']);
});

it('recognizes mentions of people and audiences, except in code and addresses', () => {
  const id = '0198f3a2-7c1b-7a10-9d1a-3f1d2c4b5a60';
  expect(withMentions(`Hi <@${id}> and @here`)).toEqual([
    { kind: 'text', text: 'Hi ' },
    { kind: 'mention', id },
    { kind: 'text', text: ' and ' },
    { kind: 'mention', id: 'here' },
  ]);
  expect(JSON.stringify(markdownNodes(`\`<@${id}>\` me@here`))).not.toContain('mention');
});

it('renders escaped mentions as text', () => {
  const id = '0198f3a2-7c1b-7a10-9d1a-3f1d2c4b5a60';
  const nodes = markdownNodes(`\\<\\@${id}> \\@here \\@channel \\*a*`);
  expect(JSON.stringify(nodes)).not.toContain('mention');
  expect(plainText(nodes)).toBe(`<@${id}> @here @channel *a*`);
});

it('keeps lists, tables, code and line breaks', () => {
  const nodes = JSON.stringify(
    markdownNodes('1. a\n2. b\n\n```ts\nlet x\n```\n\n| a |\n|---|\n| b |\n\none\ntwo'),
  );
  for (const part of ['"ol"', '"li"', '"table"', '"language":"ts"', '"break"']) expect(nodes).toContain(part);
});
