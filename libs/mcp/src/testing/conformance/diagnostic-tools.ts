import type { CallToolResult, InputRequests, Result, ServerContext } from '@modelcontextprotocol/server';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { capabilitiesOf } from '../../protocol/client-capabilities.js';
import type { Sdk } from '../../protocol/sdk.js';
import { audio, form, image, resource, result, roots, sampling, text } from './content.js';

/** A call of a diagnostic tool. */
export interface DiagnosticCall {
  sdk: Sdk;
  given: Readonly<Record<string, unknown>>;
  context: ServerContext;
}
export type DiagnosticTool = (call: DiagnosticCall) => Result | Promise<Result>;

type Responses = Record<string, unknown>;

const responsesOf = ({ context }: DiagnosticCall): Responses => context.mcpReq.inputResponses ?? {};

/** Returns a field of what the user filled in. */
export const filled = (responses: Responses, key: string, field: string): unknown =>
  (responses[key] as { content?: Record<string, unknown> } | undefined)?.content?.[field];

/** A state that only this process can write. */
const SECRET = 'only for this suite';
const sign = (body: string): string => createHmac('sha256', SECRET).update(body).digest('base64url');
const seal = (body: string): string => `${body}.${sign(body)}`;
function unseal({ sdk, context }: DiagnosticCall): string | undefined {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  const [body = '', mac = ''] = state.split('.');
  const expected = sign(body);
  if (mac.length === expected.length && timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return body;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'the state was changed');
}

const ask = ({ sdk }: DiagnosticCall, inputRequests: InputRequests, requestState?: string): Result =>
  sdk.inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });

/** Asks for these until the client has answered all of them. */
const asking =
  (inputRequests: InputRequests, done: (responses: Responses) => CallToolResult): DiagnosticTool =>
  (call) => {
    const responses = responsesOf(call);
    const isComplete = Object.keys(inputRequests).every((key) => responses[key] !== undefined);
    return isComplete ? done(responses) : ask(call, inputRequests);
  };

/** Asks as {@link asking} does, and checks that its state comes back unchanged. */
const askingWithState =
  (inputRequests: InputRequests): DiagnosticTool =>
  (call) => {
    const isOwn = unseal(call) === 'asked';
    const responses = responsesOf(call);
    const isComplete = Object.keys(inputRequests).every((key) => responses[key] !== undefined);
    return isOwn && isComplete ? result(text('state-ok')) : ask(call, inputRequests, seal('asked'));
  };

function multiRound(call: DiagnosticCall): Result {
  const [round, responses] = [unseal(call), responsesOf(call)];
  if (round === '2' && responses.step2) return result(text('complete'));
  return round === '1' && responses.step1
    ? ask(call, { step2: form('Step 2: What is your favorite color?', 'color') }, seal('2'))
    : ask(call, { step1: form('Step 1: What is your name?', 'name') }, seal('1'));
}

function byCapabilities(call: DiagnosticCall): Result {
  const { elicitation, sampling: samples } = capabilitiesOf(call.context);
  if (Object.keys(responsesOf(call)).length > 0) return result(text('capabilities-ok'));
  const inputRequests = {
    ...(elicitation !== undefined && { elicit_input: form('Value?', 'value') }),
    ...(samples !== undefined && { sample_input: sampling('Sample') }),
  };
  return Object.keys(inputRequests).length > 0 ? ask(call, inputRequests) : result(text('none declared'));
}

async function withProgress({ context: { mcpReq } }: DiagnosticCall): Promise<Result> {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken !== undefined)
    for (const progress of [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
  return result(text('done'));
}

async function withLog({ context: { mcpReq } }: DiagnosticCall): Promise<Result> {
  await mcpReq.log('info', 'a line of the log');
  return result(text('logged'));
}

function needsSampling(call: DiagnosticCall): Result {
  if (capabilitiesOf(call.context).sampling === undefined)
    throw new call.sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  return result(text('sampling is declared'));
}

const userName = form('What is your name?', 'name');
const confirm = { confirm: form('Please confirm', 'ok', 'boolean') };

/** Tools that the conformance suite calls, and that no user needs. */
export const DIAGNOSTIC_TOOLS: Readonly<Record<string, DiagnosticTool>> = {
  test_simple_text: () => result(text('This is a simple text response for testing.')),
  test_image_content: () => result(image),
  test_audio_content: () => result(audio),
  test_embedded_resource: () => result(resource('test://embedded-resource')),
  test_multiple_content_types: () =>
    result(
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({
    isError: true,
    ...result(text('This tool intentionally returns an error for testing')),
  }),
  test_tool_with_progress: withProgress,
  test_streaming_elicitation: withProgress,
  test_logging_tool: withLog,
  test_missing_capability: needsSampling,
  json_schema_2020_12_tool: () => result(text('called')),
  test_input_required_result_elicitation: asking({ user_name: userName }, (responses) =>
    result(text(`Hello, ${String(filled(responses, 'user_name', 'name'))}!`)),
  ),
  test_input_required_result_sampling: asking(
    { capital_question: sampling('What is the capital of France?') },
    ({ capital_question: answer }) => result(text(JSON.stringify(answer))),
  ),
  test_input_required_result_list_roots: asking({ client_roots: roots }, ({ client_roots: answer }) =>
    result(text(JSON.stringify(answer))),
  ),
  test_input_required_result_request_state: askingWithState(confirm),
  test_input_required_result_tampered_state: askingWithState(confirm),
  test_input_required_result_multiple_inputs: askingWithState({
    user_name: userName,
    greeting: sampling('Generate a greeting'),
    client_roots: roots,
  }),
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: byCapabilities,
};

/** Schemas of arguments, where the suite looks at them. */
export const DIAGNOSTIC_SCHEMAS: Readonly<Record<string, Record<string, unknown> & { type: 'object' }>> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};
