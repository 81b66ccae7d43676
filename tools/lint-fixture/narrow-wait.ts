// as libs/queue/src/queue.int-spec.ts: no-restricted-syntax
test('a narrow wait', async () => {
  await eventually(() => true, { timeoutMs: 2_000 });
});
