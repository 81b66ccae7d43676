import { decideFromPush } from './decide-from-push.js';

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71';

function serverWith(...answers: [number, object][]) {
  const requests: [string, RequestInit | undefined][] = [];
  const send = ((path: string, init?: RequestInit) => {
    requests.push([path, init]);
    const [status, body] = answers[requests.length - 1] ?? [500, {}];
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  }) as typeof fetch;
  return { send, requests };
}

it('decides with the session of the browser', async () => {
  const { send, requests } = serverWith([200, { csrf_token: 'c' }], [200, {}]);
  expect(await decideFromPush(send, ID, 'yes')).toBe(true);
  expect(requests.map(([path]) => path)).toEqual([
    '/api/v1/client/session',
    `/api/v1/client/approvals/${ID}/decide`,
  ]);
  expect(requests[1]?.[1]).toMatchObject({
    method: 'POST',
    headers: { 'x-csrf-token': 'c' },
    body: '{"option_id":"yes"}',
  });
});

it.each([
  ['without a session', [[401, {}]]],
  [
    'for a decided approval',
    [
      [200, { csrf_token: 'c' }],
      [409, {}],
    ],
  ],
] as [string, [number, object][]][])('returns false %s', async (_, answers) => {
  expect(await decideFromPush(serverWith(...answers).send, ID, 'yes')).toBe(false);
});

it('returns false without a network', async () => {
  const offline = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch;
  expect(await decideFromPush(offline, ID, 'yes')).toBe(false);
});
