/**
 * An answer that takes a while: an agent run, whose text grows piece by piece under people's eyes.
 */
const PIECES = ['It mends ', 'what the last one ', 'broke.'];

/**
 * Answers the latest question of a person in the conversation. The immediate answer only says that
 * it is in progress.
 */
export async function explain(bot, ctx) {
  const { messages } = await ctx.client.call('GET', `/api/v1/channels/${ctx.conversationId}/messages`);
  const question = messages.findLast(({ author_type: type }) => type === 'user');
  if (!question) return ctx.ephemeral('Ask me something here first.');
  await ctx.ephemeral('I am looking into it.');
  await ctx.later();
  const { version } = JSON.parse(ctx.data);
  const trigger = { conversationId: ctx.conversationId, messageId: question.id, signal: ctx.signal };
  // There is one run per question, however often this is called.
  return bot.run(trigger, async (run) => {
    for (const piece of [`About ${version}: `, ...PIECES]) run.append(piece);
  });
}
