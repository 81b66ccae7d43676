/** Words after an opening fence that name a language rather than start the code. */
const LANGUAGES = new Set(
  (
    'bash c++ cpp cs csharp css diff dockerfile elixir go graphql groovy haskell hcl html http ini java javascript js json jsonc jsx kotlin ' +
    'lua makefile markdown md nginx perl php plaintext powershell promql proto py python rb ruby rs rust scala sh shell sql swift terraform ' +
    'toml ts tsx txt typescript xml yaml yml zsh'
  ).split(' '),
);
const FENCE = /`{3,}/g;

/** Markup dialect of a text. In Slack's, a fence has no language and may appear within a line. */
export type Dialect = 'slack' | 'mattermost';

/**
 * Puts the fences of multi-line code on separate lines, as Markdown requires. Otherwise Markdown
 * would read the first line of code as a language and the text after the code as code. An unclosed
 * fence at the start of a line extends to the end.
 */
export function fencesOnOwnLines(text: string, dialect: Dialect = 'slack'): string {
  if (!text.includes('```')) return text;
  const fences = [...text.matchAll(FENCE)].map(({ 0: ticks, index }) => ({
    from: index,
    to: index + ticks.length,
  }));
  let shown = '';
  let copied = 0;
  for (let at = 0; at < fences.length; at += 2) {
    const open = fences[at] as Fence;
    const close = fences[at + 1] ?? { from: text.length, to: text.length };
    const isClosed = close.to > close.from;
    const isCode = isClosed ? text.slice(open.to, close.from).includes('\n') : beginsLine(text, open);
    if (!isCode) continue;
    shown += text.slice(copied, open.from) + fenced(text, open, close, dialect);
    copied = close.to;
    if (text.slice(copied, lineEnd(text, copied)).trim() !== '') shown += '\n';
  }
  return shown + text.slice(copied);
}

interface Fence {
  from: number;
  to: number;
}

/** Returns the code between two fences, with the fences on separate lines. */
function fenced(text: string, open: Fence, close: Fence, dialect: Dialect): string {
  const ticks = '`'.repeat(Math.max(open.to - open.from, close.to - close.from));
  const code = text.slice(open.to, close.from);
  const [first = ''] = code.split(/\r?\n/, 1);
  const before = beginsLine(text, open) ? '' : '\n';
  const opening = first.trim() === '' || isLanguage(first.trim(), dialect) ? ticks : `${ticks}\n`;
  const closing = /\n[ \t]{0,3}$/.test(code) || close.to === close.from ? '' : '\n';
  return before + opening + code + closing + (close.to === close.from ? '' : ticks);
}

function isLanguage(word: string, dialect: Dialect): boolean {
  return dialect === 'mattermost' ? /^[\w+#.-]+$/.test(word) : LANGUAGES.has(word.toLowerCase());
}

/** Whether only white space precedes a fence in its line. */
function beginsLine(text: string, { from }: Fence): boolean {
  return text.slice(text.lastIndexOf('\n', from) + 1, from).trim() === '';
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
