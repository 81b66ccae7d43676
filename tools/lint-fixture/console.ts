// as libs/bots/src/index.ts: no-console
console.log('where nobody looks');
