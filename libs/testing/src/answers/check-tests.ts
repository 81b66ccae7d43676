import { AnswerFaults, FAULTS_VARIABLE } from './answer-faults.js';
import { checkAnswers } from './check-answers.js';

/** Of all test files of this process, because programs that serve several report to one file. */
const faults = new AnswerFaults();

/**
 * Runs before each test file. A test fails if a server responded in a way that its OpenAPI document
 * does not describe.
 */
export default function checkTests(): void {
  process.env[FAULTS_VARIABLE] = faults.file;
  const release = checkAnswers(faults);
  const failOnFaults = (): void => {
    const found = faults.take();
    if (found.length > 0)
      throw new Error(`responses that contradict the OpenAPI document:\n${found.join('\n')}`);
  };
  afterEach(failOnFaults);
  afterAll(() => {
    release();
    failOnFaults();
  });
}
