/** Names after an opening fence that are a language, and no line of code. */
const LANGUAGES = new Set(
  (
    'bash c++ cpp cs csharp css diff dockerfile elixir go graphql groovy haskell hcl html http ini java javascript js json jsonc jsx kotlin ' +
    'lua makefile markdown md nginx perl php plaintext powershell promql proto py python rb ruby rs rust scala sh shell sql swift terraform ' +
    'toml ts tsx txt typescript xml yaml yml zsh'
  ).split(' '),
);
const FENCE = /`{3,}/g;

/** Who wrote a text: in Slack's markup, a fence has no language and may stand within a line. */
export type Dialect = 'slack' | 'mattermost';

/**
 * Returns the text with the fences of multi-line code on lines of their own, as Markdown needs
 * them: otherwise the first line of the code would be read as a language, and the text after the
 * code as code. An opening fence at the start of a line that nothing closes lasts to the end.
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

/** The code between two fences, on lines of its own. */
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

/** Whether only white space stands before a fence in its line. */
function beginsLine(text: string, { from }: Fence): boolean {
  return text.slice(text.lastIndexOf('\n', from) + 1, from).trim() === '';
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
