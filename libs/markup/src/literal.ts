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
    const isPlain = (this.marks[this.next]?.index ?? Infinity) >= endOfRun(this.words, to);
    const address = this.words.slice(from, to);
    this.escaped += isPlain ? address : `<${address}>`;
    this.copied = to;
    while ((this.marks[this.next]?.index ?? to) < to) this.next++;
  }

  toString(): string {
    this.escapeTo(this.words.length);
    return this.escaped;
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

/** Returns the end of a run without spaces, including an opening angle bracket. */
function endOfRun(line: string, from: number): number {
  let end = from;
  while (end < line.length && !/[\s<]/.test(line.charAt(end))) end++;
  return line.charAt(end) === '<' ? end + 1 : end;
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
