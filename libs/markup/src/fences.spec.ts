import MarkdownIt from 'markdown-it';
import { fencesOnOwnLines } from './fences.js';
import { convertMarkup } from './markup.js';

const reader = new MarkdownIt();
/** Returns the code blocks of a rendered Markdown text. */
const codeOf = (text: string): string[] =>
  reader
    .parse(text, {})
    .filter(({ type }) => type === 'fence')
    .map(({ content }) => content);

test.each([
  [
    'code that starts on the line of its fence (RocketChat#22867)',
    '*CI failed*\n```Error: disk full on db1\nat host1```\n*after*',
    '**CI failed**\n```\nError: disk full on db1\nat host1\n```\n**after**',
  ],
  ['a first line alone (vercel/chat#842)', '```First line\n Second\n```', '```\nFirst line\n Second\n```'],
  ['within a line', 'see ```a\nb``` *there*', 'see \n```\na\nb\n```\n **there**'],
  ['several', '```a\nb```\n```c\nd```', '```\na\nb\n```\n```\nc\nd\n```'],
  ['fences on their own lines stay', '```\n*a*\n```\nx', '```\n*a*\n```\nx'],
  ['a language stays', '```json\n{}\n```', '```json\n{}\n```'],
  ['a word that is no language is code', '```Traceback\na\n```', '```\nTraceback\na\n```'],
  ['code in one line stays', 'a ```*b*``` c', 'a ```*b*``` c'],
  ['no end: it lasts to the end', '```Error: x\nat *y*', '```\nError: x\nat *y*'],
])('%s', (_what, text, markdown) => {
  expect(convertMarkup(text)).toBe(markdown);
});

test('no line of code is lost', () => {
  expect(codeOf(convertMarkup('```Error: disk full\nat host1```'))).toEqual(['Error: disk full\nat host1\n']);
  expect(codeOf(convertMarkup('x ```Error: *a*\n_b_```'))).toEqual(['Error: *a*\n_b_\n']);
});

test('in Markdown, a single word after a fence is its language', () => {
  expect(fencesOnOwnLines('```elvish\na\n```', 'mattermost')).toBe('```elvish\na\n```');
  expect(fencesOnOwnLines('```two words\na\n```', 'mattermost')).toBe('```\ntwo words\na\n```');
});
