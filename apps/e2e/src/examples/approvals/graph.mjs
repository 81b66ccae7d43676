/** A program as users of examples/approvals/langgraph.mjs write it: asks twice in one node. */
import { Bot } from '@tieline/sdk';
import { runGraph } from '../../../../../examples/approvals/langgraph.mjs';
import { Command, Graph } from './graph-stand-in.mjs';

const { CHANNEL, CHECKPOINTS } = process.env;
const question = (title) => ({ title, tool: 'deploy', arguments: { title } });
const nodes = {
  plan: ({ version }) => ({ plan: `deploy ${version}` }),
  act: ({ plan, version }, interrupt) => {
    if (!interrupt(question(`${plan}?`)).isApproved) return { outcome: 'dropped' };
    const { isApproved, comment } = interrupt(question(`Really ${version}?`));
    return { outcome: isApproved ? `deployed: ${comment}` : 'dropped' };
  },
};
const parts = { graph: new Graph(nodes, CHECKPOINTS), Command, bot: new Bot(), conversationId: CHANNEL };
console.log(`ended ${JSON.stringify(await runGraph(parts, 'thread-1', { version: 'v2' }))}`);
