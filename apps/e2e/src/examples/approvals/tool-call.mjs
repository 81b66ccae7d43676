/** Calls the tool of examples/approvals/openai-agents.mjs as the OpenAI Agents SDK does. */
import { Bot } from '@tieline/sdk';
import { askPeople } from '../../../../../examples/approvals/openai-agents.mjs';

const tool = askPeople({ bot: new Bot(), conversationId: process.env.CHANNEL, job: 'job-1' });
const result = await tool.execute({ question: 'Which region?', choices: ['Europe', 'Asia'] });
console.log(`answered ${result}`);
