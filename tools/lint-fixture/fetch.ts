// as libs/webhooks/src/index.ts: no-restricted-syntax
export const answer = fetch('https://example.com');
