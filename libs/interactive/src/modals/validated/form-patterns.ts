import { RE2JS, RE2JSException } from 're2js';
import { characters } from '@tieline/platform/http';
import { atomsOf, stepsToCompile } from './pattern-cost.js';

const MAX_TEXT = 1000;
const MAX_ATOMS = 300;
/**
 * Step budget for all patterns of one form, about 25 ms. A step is one instruction of a compiled
 * pattern applied to one character.
 */
const MAX_STEPS = 300_000;
/** `\Q…\E` changes the meaning of its content, which the cost estimate does not handle. */
const QUOTES = /^(?:\\[^Q]|[^\\])*\\Q/s;

/** Result of matching a text: `unchecked` if matching would take too long. */
export type PatternVerdict = 'matches' | 'differs' | 'unchecked';

/**
 * The patterns of one form, for one validation. Each pattern is compiled once and all of them share
 * one step budget, so that no form blocks the event loop for more than 50 ms.
 */
export class FormPatterns {
  private readonly programs = new Map<string, RE2JS | string>();
  private steps = MAX_STEPS;

  /**
   * @returns what is wrong with a pattern; undefined if it can be matched in linear time (RE2: no
   *   back references, no look-around)
   */
  problem(pattern: string): string | undefined {
    const program = this.compiled(pattern);
    return typeof program === 'string' ? program : undefined;
  }

  /**
   * Returns whether the whole text matches, as `pattern` does in HTML forms. Texts of more than
   * 1,000 characters never match.
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

  /** @returns the compiled pattern, or why it cannot be compiled */
  private compile(pattern: string): RE2JS | string {
    if (QUOTES.test(pattern)) return 'must not contain \\Q';
    const atoms = atomsOf(pattern);
    if (atoms > MAX_ATOMS) return `must have at most ${MAX_ATOMS} elements, including repetitions`;
    if (!this.spend(stepsToCompile(pattern, atoms)))
      return 'takes too long to check, together with the other patterns of the form';
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      return 'must be a regular expression supported by RE2 (no back references, no look-around)';
    }
  }

  private spend(steps: number): boolean {
    if (steps > this.steps) return false;
    this.steps -= steps;
    return true;
  }
}
