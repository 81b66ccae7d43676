import { stopRequested } from '@tieline/agent-runs';
import { approvalResult, StreamedApproval } from '@tieline/approvals';
import { APP_EVENTS } from '@tieline/apps';
import { SELECTED_BY_BOTS, SOCKET_MESSAGES, StreamedDirectMessage } from '@tieline/bots';
import { chatEvents } from '@tieline/conversations';
import { STREAMED_OF_CHAT, STREAMED_STATUSES, StreamedPrompts } from '@tieline/live-stream';
import { StreamedTask } from '@tieline/execution-tasks';
import { homeAction, SENT_INTERACTIONS, shortcutUsed, STREAMED_OF_BOTS } from '@tieline/interactive';
import { STREAMED_VIEWS } from '@tieline/slack-surface';
import { StreamedNotification } from '@tieline/notifications';
import type { SentTo } from '@tieline/platform/http';
import { SENT_COMMANDS } from '@tieline/slash';
import { SENT_TO_SUBSCRIPTIONS } from '@tieline/webhooks';

/** Parts of the OpenAPI document that do not come from routes. */

export const INTRODUCTION = `The integration platform of a chat workspace: bots, interactive components, slash commands, incoming and outgoing webhooks.

**Getting started.** The operator creates a space (\`POST /api/v1/operator/spaces\`) and receives the owner's token.
The owner creates a bot (\`POST /api/v1/admin/bots\`) and receives its token. The bot joins a channel and sends a
message (\`POST /api/v1/bot/messages\`). Enter a token under *Authorize* to try any operation here.

**Callers.** Operations are grouped by caller: \`bot\`, \`person\`, \`admin\` (a person with the role admin or owner),
\`operator\`, and \`public\`, whose addresses are secrets or links. Operation ids end in \`AsPerson\`, \`AsAdmin\`
or \`AsOperator\`, except those of bots. They are the functions of \`@tieline/sdk/api\`.

**Requests to you.** Events and callbacks, with the answers Tieline reads, are in
[a separate document](/api/docs/webhooks): \`/api/webhooks.json\`.

**Guides.** For bots: ${guides('first-bot', 'polling', 'push', 'socket', 'streams', 'bots', 'interactive', 'buttons-and-menus', 'modals', 'form-fields', 'blocks', 'shortcuts', 'slash-commands', 'files', 'agents', 'agent-runs', 'execution-tasks', 'approvals')}.
For webhooks: ${guides('incoming-webhooks', 'senders', 'outgoing-webhooks')}. For all: ${guides('events', 'signing', 'errors', 'sign-in')}. For operators: ${guides('install', 'configure', 'monitor', 'troubleshoot', 'security')}.`;

function guides(...names: string[]): string {
  return names.map((name) => `[${name}](/api/docs/guides/${name}.md)`).join(', ');
}

/** The folder of the guides, next to the programs. */
export const GUIDES = new URL('../../../docs/', import.meta.url);

const SIGNED = {
  'X-Service-Signature':
    '`sha256=` and the hexadecimal HMAC-SHA256 of `v1:<timestamp>:<raw body>` (docs/signing.md)',
  'X-Service-Timestamp': 'Unix seconds; refuse timestamps more than 300 seconds off',
  'X-Service-Event': 'the type of the event',
  'X-Service-Delivery-Id': 'new for every delivery',
  'X-Service-Webhook-Version': '`1`',
};

/** All requests to other servers. */
export const SENT: readonly SentTo[] = [
  {
    tag: 'receiver: events',
    headers: { ...SIGNED, 'X-Service-Attempt': '1, incremented for each retry' },
    answered: 'accepted: any status from 200 to 299, regardless of the body',
    sent: [
      ...chatEvents.all,
      ...SENT_TO_SUBSCRIPTIONS,
      stopRequested,
      approvalResult,
      ...SELECTED_BY_BOTS,
      shortcutUsed,
      homeAction,
      ...APP_EVENTS,
    ],
  },
  {
    tag: 'receiver: callbacks',
    headers: SIGNED,
    answered: 'the answer to the waiting person; an empty one has no effect',
    sent: [...SENT_INTERACTIONS, ...SENT_COMMANDS],
  },
];

/** Events of streams. */
export const STREAMS = {
  streamDirectMessages: [StreamedDirectMessage],
  streamEventsAsPerson: [
    ...STREAMED_OF_CHAT,
    StreamedNotification,
    ...STREAMED_OF_BOTS,
    ...STREAMED_VIEWS,
    StreamedTask,
    ...STREAMED_STATUSES,
    StreamedPrompts,
    StreamedApproval,
  ],
};

/** Messages of a bot's socket. */
export const MODELS = [...SOCKET_MESSAGES.received, ...SOCKET_MESSAGES.sent];
