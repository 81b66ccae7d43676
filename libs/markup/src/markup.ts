import { fencesOnOwnLines } from './fences.js';
import type { Dialect } from './fences.js';
import { escapeUnsupportedBlocks } from './unsupported-blocks.js';
import { renderAngle } from './markup-angle.js';
import { OpenMarkers } from './markup-markers.js';

/** Markdown for each marker. */
const MARKDOWN: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' };
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const WORD = /[\p{L}\p{M}\p{N}]/u;
const SPACE = /\s/;
/**
 * Whether each ASCII character belongs to a word. Avoids slow regular expressions for most text.
 */
const ASCII_WORD = Array.from({ length: 128 }, (_none, code) => WORD.test(String.fromCharCode(code)));
const PUNCTUATION = /[!-/:-@[-`{-~\r\n]/;
/** Punctuation after an address that does not belong to it. */
const AFTER_ADDRESS = '*_~.,;:!?\'")]}';

/**
 * Converts a sender's markup to Markdown. Slack's: `*bold*`, `_italic_`, `~strike~`,
 * `<address|label>`, `<address>`, `<!here>` and the three entities. Markers apply at word
 * boundaries within a line, outside of code and addresses. Backslashes and headings are literal.
 * Mattermost's markup is Markdown, except for angle brackets. Never throws. Takes linear time.
 */
export function convertMarkup(text: string, dialect: Dialect = 'slack'): string {
  const converted = new Conversion(fencesOnOwnLines(text, dialect), dialect).run();
  return dialect === 'slack' ? escapeUnsupportedBlocks(decodeEntities(converted)) : converted;
}

/** Decodes entities. An encoded mention stays literal, because it quotes one. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replaceAll(/&lt;(?=@[0-9a-f-]{36}&gt;)/gi, String.raw`\&lt;`)
    .replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] as string);
}

/**
 * Converts in one pass from left to right. Stops only at special characters and copies the text in
 * between.
 */
class Conversion {
  private readonly pieces: string[] = [];
  private readonly specials: RegExp;
  private readonly open = new OpenMarkers();
  private readonly ahead = new Map<string, number>();
  /** The text before this position is converted. */
  private copied = 0;

  constructor(
    private readonly text: string,
    private readonly dialect: Dialect,
    private readonly isLabel = false,
  ) {
    this.specials = dialect === 'slack' ? /[\r\n`<*_~:\\]/g : /[\r\n`<:\\]/g;
  }

  run(): string {
    for (let at = this.nextSpecial(0); at !== -1;) at = this.nextSpecial(this.read(at));
    this.copyTo(this.text.length);
    return this.pieces.join('');
  }

  private nextSpecial(from: number): number {
    this.specials.lastIndex = from;
    return this.specials.test(this.text) ? this.specials.lastIndex - 1 : -1;
  }

  /** Handles a special character. @returns the position after it */
  private read(at: number): number {
    const character = this.text.charAt(at);
    if (character === '\n' || character === '\r') {
      this.open.clear();
      return at + 1;
    }
    if (character === ':') return this.readAddress(at);
    if (character === '\\') return this.readBackslash(at);
    const after = this.runEnd(at, character);
    if (character === '`') return this.readCode(at, after - at);
    // If several opening brackets follow each other, only the last can start markup.
    if (character === '<') return this.readAngle(after - 1);
    // A run of markers is already Markdown, or decoration.
    return after === at + 1 ? this.readMarker(at, character) : after;
  }

  /**
   * Escapes a backslash that Markdown would read as an escape, because Slack has none. In labels
   * this happens later.
   */
  private readBackslash(at: number): number {
    if (this.dialect === 'mattermost') return at + 2;
    if (!this.isLabel && PUNCTUATION.test(this.text.charAt(at + 1))) this.replace(at, at + 1, '\\\\');
    return at + 1;
  }

  private readMarker(at: number, kind: string): number {
    const opener = this.open.has(kind) && this.mayClose(at) ? this.open.take(kind) : undefined;
    if (opener !== undefined) {
      this.pieces[opener] = MARKDOWN[kind] as string;
      this.replace(at, at + 1, MARKDOWN[kind] as string);
    } else if (this.mayOpen(at)) {
      this.replace(at, at + 1, kind);
      this.open.push(kind, this.pieces.length - 1);
    }
    return at + 1;
  }

  private mayOpen(at: number): boolean {
    return isNonSpace(this.text, at + 1) && !isWordBefore(this.text, at);
  }

  private mayClose(at: number): boolean {
    return isNonSpace(this.text, at - 1) && !isWordAt(this.text, at + 1);
  }

  /**
   * A fence may span lines, inline code may not. Unclosed backticks are ordinary characters, but an
   * unclosed fence extends to the end.
   */
  private readCode(at: number, ticks: number): number {
    const mark = this.text.slice(at, at + Math.min(ticks, 3));
    const end = this.find(mark, at + ticks);
    if (end === -1) return ticks >= 3 && this.beginsLine(at) ? this.text.length : at + ticks;
    const lineEnd = this.lineEnd(at + ticks);
    if (end > lineEnd && ticks < 3) return at + ticks;
    if (end > lineEnd) this.open.clear();
    return end + mark.length;
  }

  private readAngle(at: number): number {
    const end = this.find('>', at + 1);
    const next = this.find('<', at + 1);
    if (end === -1 || (next !== -1 && next < end) || end > this.lineEnd(at)) return at + 1;
    const output = this.render(this.text.slice(at + 1, end));
    if (output === undefined) return at + 1;
    // `!` right before a link would make it an image.
    if (output.startsWith('[') && /(?:^|[^\\])!$/.test(this.text.slice(Math.max(at - 2, 0), at)))
      this.replace(at - 1, end + 1, String.raw`\!${output}`);
    else this.replace(at, end + 1, output);
    return end + 1;
  }

  /**
   * For Mattermost, converts only mentions (also of `@here` and `@channel`) and labels. Markdown
   * already links a bare address.
   */
  private render(inside: string): string | undefined {
    if (this.dialect === 'slack')
      return renderAngle(inside, (label) => new Conversion(label, 'slack', true).run());
    return /^[@!]|\|/.test(inside) ? renderAngle(inside, (label) => label) : undefined;
  }

  /** Skips an address in running text. Markers inside belong to it. */
  private readAddress(colon: number): number {
    if (!this.text.startsWith('://', colon) || !isWordBefore(this.text, colon)) return colon + 1;
    let end = colon + 3;
    while (end < this.text.length && !/[\s<>`]/.test(this.text.charAt(end))) end++;
    while (end > colon + 1 && AFTER_ADDRESS.includes(this.text.charAt(end - 1))) end--;
    return end;
  }

  private beginsLine(at: number): boolean {
    let start = at;
    while (/[ \t]/.test(this.text.charAt(start - 1))) start--;
    return start === 0 || this.text.charAt(start - 1) === '\n';
  }

  private runEnd(at: number, character: string): number {
    let end = at + 1;
    while (this.text.charAt(end) === character) end++;
    return end;
  }

  private lineEnd(from: number): number {
    const [line, carriage] = [this.find('\n', from), this.find('\r', from)];
    const end = line === -1 || (carriage !== -1 && carriage < line) ? carriage : line;
    return end === -1 ? this.text.length : end;
  }

  /**
   * Returns the next position of `what`, or -1. Caches the result, so that no part is searched
   * twice.
   */
  private find(what: string, from: number): number {
    const known = this.ahead.get(what);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const end = this.text.indexOf(what, from);
    this.ahead.set(what, end);
    return end;
  }

  private replace(from: number, to: number, output: string): void {
    this.copyTo(from);
    this.pieces.push(output);
    this.copied = to;
  }

  private copyTo(end: number): void {
    if (end > this.copied) this.pieces.push(this.text.slice(this.copied, end));
    this.copied = end;
  }
}

function isWordAt(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  return code < 128 ? ASCII_WORD[code] === true : WORD.test(String.fromCodePoint(code));
}

function isWordBefore(text: string, at: number): boolean {
  return isWordAt(text, (text.codePointAt(at - 2) ?? 0) > 0xffff ? at - 2 : at - 1);
}

/**
 * Whether emphasis may start or end with the character: not a space or the end of a line or the
 * text.
 */
function isNonSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code > 32 : at >= 0 && at < text.length && !SPACE.test(text.charAt(at));
}
