import { getMeAsPerson, listSpacesAsOperator, updateMeAsPerson } from '@tieline/sdk/api';
import { Door } from './door.js';

interface Sent {
  path: string;
  csrf: string | null;
}

const json = (status: number, body: object) => Response.json(body, { status });

/** A door to a server that gives the answers in turn. */
function doorTo(...answers: Response[]) {
  const sent: Sent[] = [];
  const ended: string[] = [];
  const door = new Door(
    'http://console.test',
    { signedOut: (kind) => ended.push(kind), csrfLost: () => Promise.resolve('fresh') },
    (input) => {
      const request = input as Request;
      sent.push({ path: new URL(request.url).pathname, csrf: request.headers.get('x-csrf-token') });
      return Promise.resolve(answers.shift() ?? json(500, {}));
    },
  );
  return { door, sent, ended };
}

it('sends the token of the session that the call belongs to', async () => {
  const { door, sent } = doorTo(json(200, { ok: true }), json(200, { ok: true }));
  door.keepCsrfToken('person', 'p');
  door.keepCsrfToken('operator', 'o');
  await getMeAsPerson({ client: door.client });
  await listSpacesAsOperator({ client: door.client });
  expect(sent.map(({ csrf }) => csrf)).toEqual(['p', 'o']);
});

it('says whose session is over', async () => {
  const { door, ended } = doorTo(json(401, { error: 'unauthorized', code: 'invalid_token' }));
  await expect(getMeAsPerson({ client: door.client })).rejects.toMatchObject({
    status: 401,
    code: 'invalid_token',
  });
  expect(ended).toEqual(['person']);
});

it('asks for a new CSRF token and repeats the call once', async () => {
  const lost = () => json(403, { error: 'no', code: 'csrf_failed' });
  const { door, sent } = doorTo(lost(), json(200, { ok: true }));
  await updateMeAsPerson({ client: door.client, body: {} });
  expect(sent.map(({ csrf }) => csrf)).toEqual([null, 'fresh']);

  const second = doorTo(lost(), lost());
  await expect(updateMeAsPerson({ client: second.door.client, body: {} })).rejects.toMatchObject({
    status: 403,
  });
  expect(second.sent).toHaveLength(2);
});

it('knows of no session once, and then asks', () => {
  const door = new Door(
    'http://console.test',
    { signedOut: () => undefined, csrfLost: () => Promise.resolve(undefined) },
    ...([undefined, ['person']] as const),
  );
  expect([door.knowsOfNoSession('person'), door.knowsOfNoSession('person')]).toEqual([true, false]);
  expect(door.knowsOfNoSession('operator')).toBe(false);
});
