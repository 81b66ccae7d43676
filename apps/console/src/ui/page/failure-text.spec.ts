import { ApiFailure } from '../../api/failure.js';
import { uiWords } from '../words.js';
import { failureText, failureTitle, mayPass, textAtField } from './failure-text.js';

const text = (status: number, code: string, words: string, retryAfter?: number) =>
  failureText(new ApiFailure(status, code, words, undefined, undefined, retryAfter), uiWords.en);

it("explains what to do, and falls back to the server's text", () => {
  expect(text(0, 'network', 'Failed to fetch')).toBe(uiWords.en.network);
  expect(text(429, 'rate_limited', 'rate limited', 12)).toContain('12 s');
  expect(text(503, 'unavailable', 'x')).toBe(uiWords.en.unavailable);
  expect(text(503, 'bot_answer_unreadable', 'the bot "Ann" sent an answer')).toBe(
    'The bot "Ann" sent an answer.',
  );
  expect(text(500, 'internal', 'x')).toBe(uiWords.en.serverFault);
  expect(text(404, 'not_found', 'not found')).toBe(uiWords.en.notFound);
  expect(text(409, 'limit_reached', 'at most 300 bots')).toBe('At most 300 bots.');
  expect(failureText('odd', uiWords.en)).toBe('odd');
});

it('offers no retry for missing or forbidden resources, and names the reason', () => {
  const failure = (status: number, code: string) => new ApiFailure(status, code, 'x');
  expect(
    [failure(403, 'forbidden'), failure(404, 'not_found'), failure(503, 'unavailable'), new Error('x')].map(
      (one) => [failureTitle(one, uiWords.en), mayPass(one)],
    ),
  ).toEqual([
    [uiWords.en.forbiddenTitle, false],
    [uiWords.en.notFoundTitle, false],
    [uiWords.en.failureTitle, true],
    [uiWords.en.failureTitle, true],
  ]);
});

const russian = uiWords.ru as (typeof uiWords)['en'];

it('translates common form errors', () => {
  expect(failureText(new ApiFailure(400, 'address_not_allowed', 'url address not allowed'), russian)).toBe(
    uiWords.ru.addressNotAllowed,
  );
});

it('shows no raw names of fields', () => {
  const failure = new ApiFailure(400, 'invalid_field', 'display_name must not be empty', 'display_name');
  expect(failureText(failure, uiWords.en)).toBe('Display name must not be empty.');
  expect(failureText(failure, uiWords.en, { isAtField: true })).toBe('Must not be empty.');
  expect(textAtField('display_name must not be empty', 'display_name')).toBe('Must not be empty.');
  expect(textAtField('choose another name', 'name')).toBe('choose another name');
});
