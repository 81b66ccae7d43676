// as libs/testing/src/eventually.spec.ts: no-restricted-syntax
it.skip('is never run', () => undefined);
