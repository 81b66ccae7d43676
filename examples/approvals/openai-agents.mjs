/** A tool for the OpenAI Agents SDK with which a model asks people. */
import { createHash } from 'node:crypto';

/**
 * Returns the definition for `tool()` of @openai/agents.
 * @param {object} parts `bot` is a Bot of @tieline/sdk; `conversationId` is where it asks; `job`
 * names what the agent works on, such as the id of a message. If the same job asks the same again
 * after a crash, it gets the same answer.
 */
export const askPeople = ({ bot, conversationId, job }) => ({
  name: 'ask_people',
  description: 'Asks people and waits for their answer. Use it before you change anything.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'one line of at most 150 characters' },
      choices: { type: 'array', items: { type: 'string' }, description: '1 to 5 short answers' },
    },
    required: ['question', 'choices'],
    additionalProperties: false,
  },
  strict: true,
  async execute({ question, choices }) {
    const externalId = createHash('sha256')
      .update(JSON.stringify([job, question, choices]))
      .digest('hex');
    const options = choices.map((label, n) => ({ id: `choice-${n}`, label, kind: 'answer' }));
    const asked = await bot.ask({ conversationId, title: question, options, externalId });
    const choice = options.find(({ id }) => id === asked.optionId)?.label ?? `no answer: ${asked.state}`;
    return JSON.stringify({ choice, comment: asked.comment });
  },
});
