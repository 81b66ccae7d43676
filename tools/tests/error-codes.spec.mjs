import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCodes, withErrorCodes } from '../error-codes.mjs';
import { ownFiles } from '../lint/sources.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let codes;
beforeAll(async () => {
  codes = await errorCodes(ROOT, await ownFiles(ROOT));
});

it('docs/errors.md names every code that the sources declare, and no other', async () => {
  const page = await readFile(`${ROOT}docs/errors.md`, 'utf8');
  expect(page).toBe(withErrorCodes(page, codes.declared));
});

it('codes are literals in snake_case, so that a list can name them', () => {
  expect(codes.problems).toEqual([]);
  expect(codes.declared.map(({ code }) => code).filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual(
    [],
  );
});

it('finds codes wherever an error is made', () => {
  const seen = new Set(codes.declared.map(({ code, status }) => `${status} ${code}`));
  for (const expected of [
    '400 invalid_field',
    '400 user_not_found',
    '401 token_of_a_person',
    '403 forbidden',
    '403 bot_not_in_conversation',
    '404 not_found',
    '409 limit_reached',
    '410 modal_gone',
    '429 rate_limited',
    '503 unavailable',
    '503 bot_did_not_answer',
  ])
    expect(seen).toContain(expected);
});
