import { snippet } from './snippet.js';

const nameOf = () => 'Ann';
const shown = (text: string, highlights: number[][]) =>
  snippet(text, highlights, nameOf)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

it('marks the matches', () => {
  expect(
    shown('Deploy the release notes', [
      [0, 6],
      [11, 24],
    ]),
  ).toBe('[Deploy] the [release notes]');
  expect(shown('no match', [])).toBe('no match');
  expect(shown('', [])).toBe('');
});

it('begins shortly before the first match and ends at a word', () => {
  const text = `${'before '.repeat(40)}match ${'after '.repeat(100)}`;
  const result = shown(text, [[280, 285]]);
  expect(result).toMatch(/^…(before ){7,8}\[match\] (after )+after…$/);
  expect(result.length).toBeLessThan(300);
});

it('shows names of mentions, also where the text is cut', () => {
  const mention = '<@01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41>';
  expect(shown(`${mention} deploys`, [[40, 47]])).toBe('@Ann [deploys]');
  expect(shown(`${mention.repeat(20)} deploys`, [[781, 788]])).not.toContain('<@');
});

it('leaves out signs of Markdown', () => {
  const text = 'See **the** [plan](https://plan.example) of `main`: release notes';
  expect(shown(text, [[52, 59]])).toBe('See the plan of main: [release] notes');
  expect(shown('snake_case and 2 * 3', [])).toBe('snake_case and 2 * 3');
});

it('cuts no character in half', () => {
  expect(shown(`${'🙂'.repeat(80)}x`, [[160, 161]])).toBe(`…${'🙂'.repeat(30)}[x]`);
  expect(shown('🙂'.repeat(141) + 'a', [])).toBe(`${'🙂'.repeat(140)}…`);
  expect(shown(`a${'🙂'.repeat(141)}`, [])).toBe(`a${'🙂'.repeat(139)}…`);
});
