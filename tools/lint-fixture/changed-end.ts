// as libs/queue/src/queue.int-spec.ts: no-restricted-syntax
test('a changed end', () => {
  expect(`${'token'.slice(0, -1)}A`).toBe('tokeA');
});
