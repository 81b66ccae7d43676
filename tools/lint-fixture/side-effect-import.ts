// as libs/bots/src/index.ts: no-restricted-syntax
import './accounts/bot.entity.js';
