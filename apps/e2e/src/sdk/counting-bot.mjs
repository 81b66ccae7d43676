/** Counts what it is told: each number has to be answered once, whatever dies in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Bot } from '@tieline/sdk';

const bot = new Bot();

bot.message(/^count (\d+)$/, async (ctx) => {
  await sleep(20);
  await ctx.reply(`seen ${ctx.match[1]}`);
});

bot.message('poison', () => {
  throw new Error('I choke on this');
});

bot.message('take your time', async (ctx) => {
  console.log('begun');
  await sleep(1000);
  await ctx.reply('taken');
});

bot.command('/tally', { description: 'Counts' }, (ctx) => ctx.reply(`tallied ${ctx.text}`));

bot.command('/slow', { description: 'Takes longer than people wait' }, async (ctx) => {
  await sleep(2800);
  const { messageId } = await ctx.reply('slow but sure');
  console.log(`posted ${messageId}`);
});

bot.onError((error, ctx) => console.log(`given up: ${ctx.payload.text} (${error.message})`));

await bot.start();
