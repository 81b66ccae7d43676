/**
 * Decides an approval as the signed-in person, with the session of this browser.
 *
 * @returns whether it was decided as wanted
 */
export async function decideFromPush(send: typeof fetch, id: string, option: string): Promise<boolean> {
  try {
    const session = await send('/api/v1/client/session', { credentials: 'same-origin' });
    if (!session.ok) return false;
    const { csrf_token: token } = (await session.json()) as { csrf_token: string };
    const answer = await send(`/api/v1/client/approvals/${id}/decide`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify({ option_id: option }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
