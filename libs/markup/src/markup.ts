import { fencesOnOwnLines } from './fences.js';
import type { Dialect } from './fences.js';
import { withoutForeignBlocks } from './foreign-blocks.js';
import { shownAngle } from './markup-angle.js';
import { OpenMarkers } from './markup-markers.js';

/** What each marker is in Markdown. */
const MARKDOWN: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' };
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const WORD = /[\p{L}\p{M}\p{N}]/u;
const SPACE = /\s/;
/**
 * Which ASCII characters belong to words. Nearly all text is ASCII, and regular expressions are
 * slow.
 */
const ASCII_WORD = Array.from({ length: 128 }, (_none, code) => WORD.test(String.fromCharCode(code)));
const PUNCTUATION = /[!-/:-@[-`{-~\r\n]/;
/** Punctuation that ends an address in running text instead of belonging to it. */
const AFTER_ADDRESS = '*_~.,;:!?\'")]}';

/**
 * Converts a sender's markup to Markdown (docs/incoming-webhooks.md#markup). Slack's: `*bold*`,
 * `_italic_`, `~strike~`, `<address|label>`, `<address>`, audiences and the three entities; markers
 * count at word boundaries within one line, outside code and addresses; backslashes and headings
 * are literal. Mattermost's is Markdown, apart from what stands in angle brackets. Never throws;
 * takes linear time.
 */
export function convertMarkup(text: string, dialect: Dialect = 'slack'): string {
  const converted = new Conversion(fencesOnOwnLines(text, dialect), dialect).run();
  return dialect === 'slack' ? withoutForeignBlocks(decodeEntities(converted)) : converted;
}

/** An encoded mention is a quoted one. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replaceAll(/&lt;(?=@[0-9a-f-]{36}&gt;)/gi, String.raw`\&lt;`)
    .replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] as string);
}

/**
 * One pass from left to right that stops only at special characters and copies the text between
 * them.
 */
class Conversion {
  private readonly pieces: string[] = [];
  private readonly specials: RegExp;
  private readonly open = new OpenMarkers();
  private readonly ahead = new Map<string, number>();
  /** Everything before this position is converted. */
  private copied = 0;

  constructor(
    private readonly text: string,
    private readonly dialect: Dialect,
    private readonly isLabel = false,
  ) {
    this.specials = dialect === 'slack' ? /[\r\n`<*_~:\\]/g : /[\r\n`<:\\]/g;
  }

  run(): string {
    for (let at = this.special(0); at !== -1;) at = this.special(this.read(at));
    this.copyTo(this.text.length);
    return this.pieces.join('');
  }

  private special(from: number): number {
    this.specials.lastIndex = from;
    return this.specials.test(this.text) ? this.specials.lastIndex - 1 : -1;
  }

  /** Reads what stands at a special character. @returns the position after it */
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
    // Of several opening brackets in a row, the last may be the real one.
    if (character === '<') return this.readAngle(after - 1);
    // A run of markers is Markdown already, or decoration.
    return after === at + 1 ? this.readMarker(at, character) : after;
  }

  /**
   * Slack knows no escapes: a backslash that would be one in Markdown is escaped itself. In a
   * label, that is done later.
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
    return isInside(this.text, at + 1) && !isWordBefore(this.text, at);
  }

  private mayClose(at: number): boolean {
    return isInside(this.text, at - 1) && !isWordAt(this.text, at + 1);
  }

  /**
   * A fence may span lines, inline code may not. Backticks that nothing closes are ordinary
   * characters, but a fence lasts to the end.
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
    const output = this.shown(this.text.slice(at + 1, end));
    if (output === undefined) return at + 1;
    // `!` right before a link would make it an image.
    if (output.startsWith('[') && /(?:^|[^\\])!$/.test(this.text.slice(Math.max(at - 2, 0), at)))
      this.replace(at - 1, end + 1, String.raw`\!${output}`);
    else this.replace(at, end + 1, output);
    return end + 1;
  }

  /** In Markdown, an address alone is a link already. */
  private shown(inside: string): string | undefined {
    if (this.dialect === 'slack')
      return shownAngle(inside, (label) => new Conversion(label, 'slack', true).run());
    return /^[@!]|\|/.test(inside) ? shownAngle(inside, (label) => label) : undefined;
  }

  /** An address in running text; markers inside it are part of it. */
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
   * Where something comes next, or -1. The result is remembered, so that no stretch is searched
   * twice for the same thing.
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

/** What an emphasis begins or ends with: anything but a space, a line's end and the text's. */
function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code > 32 : at >= 0 && at < text.length && !SPACE.test(text.charAt(at));
}
