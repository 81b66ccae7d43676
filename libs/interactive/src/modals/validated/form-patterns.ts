import { RE2JS, RE2JSException } from 're2js';
import { characters } from '@tieline/platform/http';
import { atomsOf, stepsToCompile } from './pattern-cost.js';

const MAX_TEXT = 1000;
const MAX_ATOMS = 300;
/**
 * Instructions of a compiled pattern: three for each thing to match, one that fails and one that
 * succeeds.
 */
const MAX_PROGRAM = 3 * MAX_ATOMS + 2;
/**
 * Steps for all patterns of one form: about 25 ms. A step is one instruction of a compiled pattern
 * on one character of a text.
 */
const MAX_STEPS = 300_000;
/** `\Q…\E` changes the meaning of everything in it. */
const QUOTES = /^(?:\\[^Q]|[^\\])*\\Q/s;

/** What came of matching a text: `unchecked` when that would take too long. */
export type PatternVerdict = 'matches' | 'differs' | 'unchecked';

/**
 * The patterns of one form, while it is validated or submitted once. Each is compiled once, and
 * together they may take so many steps: whatever a bot sends blocks the event loop for less than 50
 * ms.
 */
export class FormPatterns {
  private readonly programs = new Map<string, RE2JS | string>();
  private steps = MAX_STEPS;

  /**
   * @returns what is wrong with a pattern; undefined where it can be matched in linear time (RE2:
   * no back references, no look-around)
   */
  problem(pattern: string): string | undefined {
    const program = this.compiled(pattern);
    return typeof program === 'string' ? program : undefined;
  }

  /**
   * Whether the whole text has that form, as in a form of a web page; one of more than 1,000
   * characters has none.
   */
  match(pattern: string, text: string): PatternVerdict {
    const length = characters(text);
    if (length > MAX_TEXT) return 'differs';
    const program = this.compiled(pattern);
    if (typeof program === 'string' || !this.spend(program.programSize() * (length + 1))) return 'unchecked';
    return program.matches(text) ? 'matches' : 'differs';
  }

  private compiled(pattern: string): RE2JS | string {
    const program = this.programs.get(pattern) ?? this.compile(pattern);
    this.programs.set(pattern, program);
    return program;
  }

  /** @returns why it is not compiled */
  private compile(pattern: string): RE2JS | string {
    if (QUOTES.test(pattern)) return 'must not contain \\Q';
    const atoms = atomsOf(pattern);
    const tooLarge = `must not match more than ${MAX_ATOMS} things, repetitions counted`;
    if (atoms > MAX_ATOMS) return tooLarge;
    if (!this.spend(stepsToCompile(pattern, atoms)))
      return 'takes too long to check, together with the other patterns of the form';
    try {
      const program = RE2JS.compile(pattern);
      return program.programSize() > MAX_PROGRAM ? tooLarge : program;
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      return 'must be a regular expression that RE2 knows (no back references, no look-around)';
    }
  }

  private spend(steps: number): boolean {
    if (steps > this.steps) return false;
    this.steps -= steps;
    return true;
  }
}
