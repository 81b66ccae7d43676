import { AnswerFaults } from './answer-faults.js';
import { judgeAnswers } from './judge-answers.js';

// Loaded by `--import` into programs that a test starts.
judgeAnswers(AnswerFaults.ofThisTest());
