import { ApiFailure, fieldErrors, toFailure } from './failure.js';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

it('reads code, field and retry time', () => {
  const failure = toFailure(
    { ok: false, error: 'too many', code: 'rate_limited', field: 'name' },
    answer(429, { 'retry-after': '7', 'x-request-id': 'r1' }),
  );
  expect(failure).toMatchObject({
    status: 429,
    code: 'rate_limited',
    field: 'name',
    retryAfter: 7,
    requestId: 'r1',
  });
  expect(failure.message).toBe('too many');
});

it('converts foreign responses and missing responses to failures', () => {
  expect(toFailure('<h1>Bad gateway</h1>', answer(502))).toMatchObject({ status: 502, code: 'unknown' });
  expect(toFailure(new TypeError('Failed to fetch'), undefined)).toMatchObject({
    status: 0,
    code: 'network',
  });
});

it('assigns an error to the field at the start of its path', () => {
  expect(fieldErrors(new ApiFailure(400, 'invalid_field', 'must be a name', 'options[0].name'))).toEqual({
    options: 'must be a name',
  });
  expect(fieldErrors(new ApiFailure(400, 'x', 'no', undefined, { a: 'one', b: 'two' }))).toEqual({
    a: 'one',
    b: 'two',
  });
  expect(fieldErrors(new Error('other'))).toEqual({});
});
