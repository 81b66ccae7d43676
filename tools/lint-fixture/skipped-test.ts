// as libs/platform/src/testing/eventually.spec.ts: no-restricted-syntax
it.skip('is never run', () => undefined);
