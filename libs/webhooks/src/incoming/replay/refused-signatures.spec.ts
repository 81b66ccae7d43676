import { RefusedSignatures } from './refused-signatures.js';

const signature = (n: number): Buffer => Buffer.from(`signature ${n}`);

test('remembers a refused signature of one webhook', () => {
  const refused = new RefusedSignatures();
  refused.add('a', signature(1));
  expect(refused.has('a', signature(1))).toBe(true);
  expect(refused.has('a', signature(2))).toBe(false);
  expect(refused.has('b', signature(1))).toBe(false);
});

test('forgets a signature when its time is over', () => {
  const refused = new RefusedSignatures(0);
  refused.add('a', signature(1));
  expect(refused.has('a', signature(1))).toBe(false);
});

test('drops the oldest signatures beyond 10,000', () => {
  const refused = new RefusedSignatures();
  for (let n = 0; n <= 10_000; n += 1) refused.add('a', signature(n));
  expect(refused.has('a', signature(0))).toBe(false);
  expect(refused.has('a', signature(1))).toBe(true);
});
