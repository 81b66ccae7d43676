import { getMeAsPerson, listSpacesAsOperator, updateMeAsPerson } from '@tieline/sdk/api';
import { ApiSession } from './api-session.js';

interface Sent {
  path: string;
  csrf: string | null;
}

const json = (status: number, body: object) => Response.json(body, { status });

/** Creates a session with a server that returns these responses in order. */
function sessionWith(...answers: Response[]) {
  const sent: Sent[] = [];
  const ended: string[] = [];
  const apiSession = new ApiSession(
    'http://console.test',
    { signedOut: (kind) => ended.push(kind), csrfLost: () => Promise.resolve('fresh') },
    (input) => {
      const request = input as Request;
      sent.push({ path: new URL(request.url).pathname, csrf: request.headers.get('x-csrf-token') });
      return Promise.resolve(answers.shift() ?? json(500, {}));
    },
  );
  return { apiSession, sent, ended };
}

it('sends the CSRF token of the session that the call belongs to', async () => {
  const { apiSession, sent } = sessionWith(json(200, { ok: true }), json(200, { ok: true }));
  apiSession.keepCsrfToken('person', 'p');
  apiSession.keepCsrfToken('operator', 'o');
  await getMeAsPerson({ client: apiSession.client });
  await listSpacesAsOperator({ client: apiSession.client });
  expect(sent.map(({ csrf }) => csrf)).toEqual(['p', 'o']);
});

it('reports which session has ended', async () => {
  const { apiSession, ended } = sessionWith(json(401, { error: 'unauthorized', code: 'invalid_token' }));
  await expect(getMeAsPerson({ client: apiSession.client })).rejects.toMatchObject({
    status: 401,
    code: 'invalid_token',
  });
  expect(ended).toEqual(['person']);
});

it('requests a new CSRF token and repeats the call once', async () => {
  const lost = () => json(403, { error: 'no', code: 'csrf_failed' });
  const { apiSession, sent } = sessionWith(lost(), json(200, { ok: true }));
  await updateMeAsPerson({ client: apiSession.client, body: {} });
  expect(sent.map(({ csrf }) => csrf)).toEqual([null, 'fresh']);

  const second = sessionWith(lost(), lost());
  await expect(updateMeAsPerson({ client: second.apiSession.client, body: {} })).rejects.toMatchObject({
    status: 403,
  });
  expect(second.sent).toHaveLength(2);
});

it('skips the first request without a session cookie, and only the first', () => {
  const apiSession = new ApiSession(
    'http://console.test',
    { signedOut: () => undefined, csrfLost: () => Promise.resolve(undefined) },
    ...([undefined, ['person']] as const),
  );
  expect([apiSession.knowsOfNoSession('person'), apiSession.knowsOfNoSession('person')]).toEqual([
    true,
    false,
  ]);
  expect(apiSession.knowsOfNoSession('operator')).toBe(false);
});
