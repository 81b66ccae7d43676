/**
 * HTTP addresses, which become links. The last character is not punctuation of the surrounding
 * sentence.
 */
const ADDRESS = /(?<![a-z0-9+.-])https?:\/\/[^\s<>]*[^\s<>*_~.,;:!?'"()[\]{}…\\`]/giu;
/** Parts of a line that Markdown or a mention parser could read as markup. */
const MARKUP = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$|[a-z0-9+.-]*://)`,
    '`',
    String.raw`[*_]+`,
    '~{2,}',
    String.raw`\](?=\()`,
    '<(?=@[0-9a-f-]{36}>)',
    String.raw`(?<=<)@(?=[0-9a-f-]{36}>)`,
    String.raw`<(?=[^<>\x00-\x20:@]*[:@][^<>\x00-\x20]*>)`,
    '&(?=(?:#[0-9]+|#x[0-9a-f]+|[a-z][a-z0-9]*);)',
    '@(?=(?:channel|here|all|everyone)(?![a-z0-9]))',
  ].join('|'),
  'giu',
);
/** Starts of a line that make it a heading, quote, list item, rule or heading underline. */
const BLOCK = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|=+$|-{2,}$|[-*_](?:\s*[-*_]){2,}$)/;
const TABLE_RULE = /^[|:-][-:|\s]*$/;
const LIST_NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;
const WORD = /[\p{L}\p{M}\p{N}]/u;

/**
 * Returns Markdown that shows exactly `text` and mentions no one. Escapes only characters that
 * would act as markup. HTTP addresses stay links. Indentation becomes no-break spaces, trailing
 * white space is removed, and `\r\n` becomes `\n`.
 */
export function literalMarkdown(text: string): string {
  const definesLinks = text.includes(']:');
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => literalLine(line, definesLinks))
    .join('\n');
}

function literalLine(line: string, definesLinks: boolean): string {
  const [indentation = ''] = /^[ \t]*/.exec(line) ?? [];
  const words = line.slice(indentation.length).replace(/[ \t]+$/, '');
  if (words === '') return '';
  const escaped = literalWords(words);
  return indentation === ''
    ? literalStart(words, escaped, definesLinks)
    : indentation.replaceAll('\t', '    ').replaceAll(' ', '\u00A0') + escaped;
}

/** Escapes what acts as markup only at the start of a line. */
function literalStart(words: string, escaped: string, definesLinks: boolean): string {
  const isEscaped = escaped.startsWith('\\') && !words.startsWith('\\');
  const isBlock = BLOCK.test(words) || (TABLE_RULE.test(words) && words.includes('-'));
  if (!isEscaped && (isBlock || (definesLinks && words.startsWith('[')))) return `\\${escaped}`;
  return escaped.replace(LIST_NUMBER, String.raw`$1\$2`);
}

function literalWords(words: string): string {
  const line = new EscapedLine(words);
  for (const { 0: address, index } of words.matchAll(ADDRESS)) line.addAddress(index, index + address.length);
  return line.toString();
}

/** Escapes the markup of a line from left to right, each part once. */
class EscapedLine {
  private readonly marks: { index: number; marks: string }[];
  private next = 0;
  private copied = 0;
  private escaped = '';
  private wordEnd = 0;

  constructor(private readonly words: string) {
    this.marks = [...words.matchAll(MARKUP)]
      .map(({ 0: marks, index }) => ({ index, marks }))
      .filter(({ index, marks }) => !isHarmless(words, index, marks));
  }

  /**
   * Adds an address as a link. Uses angle brackets if the address or what follows it contains
   * markup.
   */
  addAddress(from: number, to: number): void {
    this.escapeTo(from);
    const isPlain = (this.marks[this.next]?.index ?? Infinity) >= this.endOfRun(to);
    const address = this.words.slice(from, to);
    this.escaped += isPlain ? address : `<${address}>`;
    this.copied = to;
    while ((this.marks[this.next]?.index ?? to) < to) this.next++;
  }

  toString(): string {
    this.escapeTo(this.words.length);
    return this.escaped;
  }

  /**
   * Returns the end of what a parser could take for a part of the address: a run without spaces, up
   * to and including an angle bracket. Brackets and quotes can enclose angle brackets.
   */
  private endOfRun(from: number): number {
    let end = from;
    while (end < this.words.length && !/[\s<([{"']/.test(this.words.charAt(end))) end++;
    const last = this.words.charAt(end);
    if (last === '<') return end + 1;
    if (last === '' || isSpace(last)) return end;
    // Remembered, so that many addresses in one word take linear time.
    if (this.wordEnd <= end) this.wordEnd = endOfWord(this.words, end);
    return this.wordEnd;
  }

  private escapeTo(end: number): void {
    for (let mark = this.marks[this.next]; mark && mark.index < end; mark = this.marks[++this.next]) {
      this.escaped +=
        this.words.slice(this.copied, mark.index) + mark.marks.replaceAll(/./gu, String.raw`\$&`);
      this.copied = mark.index + mark.marks.length;
    }
    this.escaped += this.words.slice(this.copied, end);
    this.copied = end;
  }
}

/** Returns the index of the next space from an index on, or the length. */
function endOfWord(line: string, from: number): number {
  let end = from;
  while (end < line.length && !isSpace(line.charAt(end))) end++;
  return end;
}

/** Whether `*` or `_` has no effect: a single one between spaces, or underscores inside a word. */
function isHarmless(line: string, at: number, marks: string): boolean {
  const kind = marks.charAt(0);
  if (kind !== '*' && kind !== '_') return false;
  const [before, after] = [line.charAt(at - 1), line.charAt(at + marks.length)];
  if (marks.length === 1 && isSpace(before) && isSpace(after)) return true;
  return !marks.includes('*') && WORD.test(before) && WORD.test(after);
}

function isSpace(character: string): boolean {
  return character === '' || character === ' ' || character === '\t';
}
