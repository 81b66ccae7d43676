import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Environment variable with the path of a process's file of faults. */
export const FAULTS_VARIABLE = 'TIELINE_ANSWER_FAULTS';

/**
 * Responses that did not match the document. Stored in a file, so that processes started by a test
 * can report them even if they are killed.
 */
export class AnswerFaults {
  constructor(readonly file = join(tmpdir(), `tieline-answers-${process.pid}-${randomUUID()}`)) {}

  /** Returns the faults of the running test. */
  static ofThisTest(): AnswerFaults {
    return new AnswerFaults(process.env[FAULTS_VARIABLE]);
  }

  add(fault: string): void {
    appendFileSync(this.file, `${fault}\n`);
  }

  /** Returns the faults added since the last call, without duplicates. */
  take(): string[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').trim().split('\n');
    rmSync(this.file, { force: true });
    return [...new Set(lines)];
  }
}
