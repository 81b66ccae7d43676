import { jest } from '@jest/globals';
import { sendInSteps } from './tool-wait.js';
import type { RestAnswer, RestRequest } from '@tieline/platform/http';

const WAIT = { argument: 'wait', maxSeconds: 5, stepSeconds: 2 };
const REQUEST: RestRequest = { method: 'GET', path: '/approvals/1' };

/** Answers after the seconds that the request asks for, unless `early`. @returns the waits */
async function waitsOf(wait: string | undefined, { early = false, status = 200 } = {}): Promise<unknown[]> {
  const waits: unknown[] = [];
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  let time = 0;
  const send = ({ query = {} }: RestRequest): Promise<RestAnswer> => {
    waits.push(query.wait);
    if (!early) time += Number(query.wait ?? 0) * 1000;
    now.mockReturnValue(time);
    return Promise.resolve({ status, body: {} });
  };
  try {
    await sendInSteps(send, { ...REQUEST, ...(wait !== undefined && { query: { wait } }) }, WAIT);
  } finally {
    now.mockRestore();
  }
  return waits;
}

test.each<[string | undefined, unknown[]]>([
  [undefined, [undefined]],
  ['0', ['0']],
  ['2', ['2']],
  ['5', ['2', '2', '1']],
])('a wait of %s takes requests of %j seconds', async (wait, waits) => {
  expect(await waitsOf(wait)).toEqual(waits);
});

test('an early answer and an error end the wait', async () => {
  expect(await waitsOf('5', { early: true })).toEqual(['2']);
  expect(await waitsOf('5', { status: 503 })).toEqual(['2']);
});

test.each(['6', '-1', '1.5', 'x', '', '1e1', '99999'])('%j is refused', async (wait) => {
  await expect(waitsOf(wait)).rejects.toMatchObject({ status: 400, code: 'invalid_field', field: 'wait' });
});
