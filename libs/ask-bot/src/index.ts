export { AskBotModule } from './ask-bot.module.js';
export { BotAsker } from './bot-asker.js';
export { judgeAnswer, UnusableAnswerError } from './judge-answer.js';
export type { AwaitedAnswers, BotCallback, CallbackTrial, SentQuestion } from './question.js';
