/**
 * On a server that has no space yet: makes one with its first owner, and an invite for them. It
 * uses the endpoints that every operator and admin has; the owner's token is forgotten, the link
 * works once.
 * @param {{ operator: string, api: string, operatorToken: string }} options where operator and
 * other endpoints are
 * @returns {Promise<string | undefined>} the link; undefined where there is a space already
 */
export async function firstLink({ operator, api, operatorToken }) {
  const { spaces } = await call(`${operator}/api/v1/operator/spaces?limit=1`, operatorToken);
  if (spaces.length > 0) return undefined;
  const made = await call(`${operator}/api/v1/operator/spaces`, operatorToken, { name: 'First space' });
  const { url } = await call(`${api}/api/v1/admin/users/${made.owner.id}/invite`, made.owner_token, {});
  return url;
}

/** @param {string} url @param {string} token @param {object} [body] @returns {Promise<any>} */
async function call(url, token, body) {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const answer = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`the first space could not be made: ${answer.error}`);
  return answer;
}
