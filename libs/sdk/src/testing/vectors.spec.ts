import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { verify } from '../signatures.js';
import { signedRequest, VECTORS } from './index.js';

test('the vectors match those of the signatures', async () => {
  const file = fileURLToPath(new URL('../signatures/vectors.json', import.meta.url));
  expect(VECTORS).toEqual(JSON.parse(await readFile(file, 'utf8')));
});

test('a signed request is valid in its scheme', async () => {
  const { secret } = VECTORS;
  const { headers, body } = await signedRequest({
    scheme: 'bot_push',
    secret,
    body: { a: 1 },
    event: 'MESSAGE_CREATED',
  });
  expect(await verify({ secret, headers, body })).toMatchObject({ ok: true, scheme: 'bot_push' });
});
