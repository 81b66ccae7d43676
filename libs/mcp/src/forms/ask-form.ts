import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { capabilitiesOf } from '../protocol/client-capabilities.js';
import type { Sdk } from '../protocol/sdk.js';
import { refused } from '../tools/tool-calls.js';
import { requestedSchemaOf, withInitialValues } from './form-schema.js';

type Arguments = Readonly<Record<string, unknown>>;
/** `ask` and `end` are results of the tool; `go` are the arguments to call it with. */
export type FormOutcome = { ask: InputRequiredResult } | { end: CallToolResult } | { go: Arguments };

const TOOL = 'request_approval';
/** Key of the request to the client. */
const KEY = 'form';

/**
 * Lets the user of a client that shows forms fill in the form of an approval first. The values
 * become its initial ones (docs/mcp.md#forms). A retry has the same arguments and the user's
 * answer, so nothing has to be remembered.
 */
export function askForm(sdk: Sdk, tool: string, given: Arguments, context: ServerContext): FormOutcome {
  const { form, title } = given;
  const { elicitation } = capabilitiesOf(context);
  // An empty object means forms: clients of the first revision said so.
  const showsForms = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
  const requestedSchema = tool === TOOL && showsForms ? requestedSchemaOf(form) : undefined;
  // Without a title, the API refuses the call anyway.
  if (!requestedSchema || typeof title !== 'string') return { go: given };
  const answer = sdk.inputResponse(context.mcpReq.inputResponses, KEY);
  if (answer.kind !== 'elicit') {
    const message = `${title}: fill in what you know. People see it when they decide.`;
    const asked = sdk.inputRequired.elicit({ message, requestedSchema });
    return { ask: sdk.inputRequired({ inputRequests: { [KEY]: asked } }) };
  }
  if (answer.action === 'cancel')
    return { end: refused({ error: 'the user closed the form', code: 'form_cancelled' }) };
  if (answer.action === 'decline') return { go: given };
  return { go: { ...given, form: withInitialValues(form, answer.content ?? {}) } };
}
