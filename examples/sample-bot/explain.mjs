/** A long-running answer: an agent run whose text grows while people watch. */
const PIECES = ['It mends ', 'what the last one ', 'broke.'];

/**
 * Answers the newest question of a person in the conversation. First tells the person that the bot
 * is working on it.
 */
export async function explain(bot, ctx) {
  const { messages } = await ctx.client.call('GET', `/api/v1/channels/${ctx.conversationId}/messages`);
  const question = messages.findLast(({ author_type: type }) => type === 'user');
  if (!question) return ctx.ephemeral('Ask me something here first.');
  await ctx.ephemeral('I am looking into it.');
  await ctx.later();
  const { version } = JSON.parse(ctx.data);
  const trigger = { conversationId: ctx.conversationId, messageId: question.id, signal: ctx.signal };
  // There is one run per question, however often it is requested.
  return bot.run(trigger, async (run) => {
    for (const piece of [`About ${version}: `, ...PIECES]) run.append(piece);
  });
}
