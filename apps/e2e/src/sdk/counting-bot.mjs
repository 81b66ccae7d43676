/** Counts numbers: each must be answered once, whichever process is killed. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bot } from '@tieline/sdk';

const bot = new Bot();

bot.message(/^count (\d+)$/, async (ctx) => {
  await sleep(20);
  await ctx.reply(`seen ${ctx.match[1]}`);
});

bot.message('poison', () => {
  throw new Error('cannot handle this');
});

bot.message('take your time', async (ctx) => {
  console.log('begun');
  await once(process, 'SIGTERM');
  await sleep(300);
  await ctx.reply('taken');
});

bot.command('/tally', { description: 'Counts' }, (ctx) => ctx.reply(`tallied ${ctx.text}`));

bot.command('/slow', { description: 'Takes longer than requests wait' }, async (ctx) => {
  await sleep(2800);
  const { messageId } = await ctx.reply('slow but sure');
  console.log(`posted ${messageId}`);
});

bot.command('/twice', { description: 'Answers twice' }, async (ctx) => {
  await ctx.reply('one');
  await ctx.reply('two');
  await sleep(60_000);
});

bot.command('/long', { description: 'Works after the answer' }, async (ctx) => {
  await ctx.later();
  console.log('long begun');
  await sleep(1500);
  await ctx.reply('long done');
});

bot.message(/^why\b/, async (ctx) => {
  const answer = await bot.run(ctx, { task: { title: 'Find out' }, heartbeatMs: 300 }, async (run) => {
    run.status('gathering_context');
    for (const piece of ['Because ', 'of ', 'that.']) run.append(piece);
    if (ctx.text === 'why ever?') await new Promise((done) => run.signal.addEventListener('abort', done));
    setTimeout(async () => console.log(`reviewed: ${await run.task.review(ctx.signal)}`));
  });
  console.log(`answered: ${answer}`);
});

bot.message('work in silence', async (ctx) => {
  const answer = await bot.run(ctx, { heartbeatMs: 120_000 }, async (run) => {
    await new Promise((done) => run.signal.addEventListener('abort', done));
    console.log(`stopped: ${run.isStopRequested}`);
  });
  console.log(`answered: ${answer}`);
});

bot.onError((error, ctx) => console.log(`given up: ${ctx.payload.text} (${error.message})`));

await bot.start();
