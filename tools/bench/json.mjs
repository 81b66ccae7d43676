import { request } from 'undici';

/** One request with a token. @throws what was refused */
export async function json(origin, method, path, token, body) {
  const answer = await request(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const given = await answer.body.json();
  if (answer.statusCode >= 300)
    throw new Error(`${path} was answered with ${answer.statusCode}: ${given.error}`);
  return given;
}
