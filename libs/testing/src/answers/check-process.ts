import { AnswerFaults } from './answer-faults.js';
import { checkAnswers } from './check-answers.js';

// Loaded by `--import` into programs that a test starts.
checkAnswers(AnswerFaults.ofThisTest());
