import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable that tells a process which file its faults go to. */
export const FAULTS_VARIABLE = 'TIELINE_ANSWER_FAULTS';

/**
 * Answers that were not as the document says. A file, so that processes that a test starts can
 * tell, also killed ones.
 */
export class AnswerFaults {
  constructor(readonly file = join(tmpdir(), `tieline-answers-${process.pid}-${randomUUID()}`)) {}

  /** Those of the test that is running. */
  static ofThisTest(): AnswerFaults {
    return new AnswerFaults(process.env[FAULTS_VARIABLE]);
  }

  add(fault: string): void {
    appendFileSync(this.file, `${fault}\n`);
  }

  /** Those that were added since they were last taken, each once. */
  take(): string[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').trim().split('\n');
    rmSync(this.file, { force: true });
    return [...new Set(lines)];
  }
}
