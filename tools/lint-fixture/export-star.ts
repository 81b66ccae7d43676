// as libs/bots/src/index.ts: no-restricted-syntax
export * from '@tieline/platform/database';
