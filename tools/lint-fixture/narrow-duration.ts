// as libs/queue/src/queue.int-spec.ts: no-restricted-syntax
test('a narrow bound', () => {
  const begun = performance.now();
  expect(performance.now() - begun).toBeLessThan(1_500);
});
