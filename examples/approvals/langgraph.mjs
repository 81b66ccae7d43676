/** Runs a LangGraph graph. Its nodes call `interrupt({ title, tool, arguments })` to ask people. */
import { createHash } from 'node:crypto';

/**
 * Continues where the thread was, so a killed program calls this again. The graph needs a
 * checkpointer that survives, such as SqliteSaver.
 * @param {object} parts `graph` is compiled, `Command` is LangGraph's, `bot` a Bot of @tieline/sdk.
 * @param {string} threadId the thread of the checkpointer
 * @param {object} input for a new thread
 * @returns the final values of the graph
 */
export async function runGraph({ graph, Command, bot, conversationId }, threadId, input) {
  const config = { configurable: { thread_id: threadId } };
  for (let isFirst = true; ; isFirst = false) {
    const { next, tasks, values } = await graph.getState(config);
    const [waiting] = tasks.flatMap(({ interrupts }) => interrupts);
    const isNew = isFirst && Object.keys(values).length === 0;
    if (waiting) await graph.invoke(new Command({ resume: { [waiting.id]: await decide(waiting) } }), config);
    else if (isNew) await graph.invoke(input, config);
    else if (next.length > 0)
      await graph.invoke(null, config); // a node was killed
    else return values;
  }

  /** The result becomes the return value of `interrupt`. */
  async function decide({ id, value }) {
    const externalId = createHash('sha256')
      .update(JSON.stringify([threadId, id, value]))
      .digest('hex');
    const { isApproved, comment } = await bot.ask({ conversationId, ...value, externalId });
    return { isApproved, comment };
  }
}
