import { AnswerFaults, FAULTS_VARIABLE } from './answer-faults.js';
import { judgeAnswers } from './judge-answers.js';

/**
 * Runs before each test file: a test during which a server answered what its OpenAPI document
 * doesn't say fails.
 */
export default function judgeTests(): void {
  const faults = new AnswerFaults();
  process.env[FAULTS_VARIABLE] = faults.file;
  const release = judgeAnswers(faults);
  const failOnFaults = (): void => {
    const found = faults.take();
    if (found.length > 0) throw new Error(`answers against the OpenAPI document:\n${found.join('\n')}`);
  };
  afterEach(failOnFaults);
  afterAll(() => {
    release();
    failOnFaults();
  });
}
