import { ApiFailure } from '../../app/api/failure.js';
import { failureText } from './failure-text.js';
import { uiWords } from '../words.js';

const text = (status: number, code: string, words: string, retryAfter?: number) =>
  failureText(new ApiFailure(status, code, words, undefined, undefined, retryAfter), uiWords.en);

it('says what can be done, and keeps the words of the server where it knows none', () => {
  expect(text(0, 'network', 'Failed to fetch')).toBe(uiWords.en.network);
  expect(text(429, 'rate_limited', 'rate limited', 12)).toContain('12 s');
  expect(text(503, 'unavailable', 'x')).toBe(uiWords.en.unavailable);
  expect(text(500, 'internal', 'x')).toBe(uiWords.en.serverFault);
  expect(text(404, 'not_found', 'not found')).toBe(uiWords.en.notFound);
  expect(text(409, 'limit_reached', 'at most 300 bots')).toBe('At most 300 bots.');
  expect(failureText('odd', uiWords.en)).toBe('odd');
});
