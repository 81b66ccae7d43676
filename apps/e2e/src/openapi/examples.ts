import { slackId } from '@tieline/slack-surface';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import type { ExamplesScene } from './examples-scene.js';

/** What an operation needs besides its body: path values and, if not obvious, the token. */
interface RequestContext {
  path?: Record<string, string>;
  token?: string;
  /** Values for placeholders in the example that are only known at run time. */
  instead?: Record<string, string>;
}
type Circumstance = (scene: ExamplesScene) => RequestContext | Promise<RequestContext>;

const id = (make: (scene: ExamplesScene) => Promise<string>, name = 'id'): Circumstance => {
  return async (scene) => ({ path: { [name]: await make(scene) } });
};
const nothing: Circumstance = () => ({});
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
const inTheChannel: Circumstance = ({ channel }) => ({ path: { id: channel } });
const ofTheBot: Circumstance = ({ workspace }) => ({ path: { bot_id: workspace.botId } });
const hook: Circumstance = async (scene) => ({
  path: { token: (await scene.hook()).token, a: 'a', b: 'b' },
});

/** By operation id. An operation with a body that is missing here is not tested. */
export const CIRCUMSTANCES: Readonly<Record<string, Circumstance>> = {
  createSpaceAsOperator: nothing,
  updateSpaceAsOperator: id(
    async (scene) => (await scene.operator('spaces', { name: 'B' })).space.id as string,
  ),
  signInAsOperator: () => ({ instead: { '…': TEST_ENVIRONMENT.OPERATOR_TOKEN } }),
  updateMeAsPerson: nothing,
  signInAsPerson: ({ person }) => ({ instead: { 'tlu_…': person.token } }),
  showInviteAsPerson: async (scene) => ({ instead: { 'tli_…': await scene.invite() } }),
  createConversationAsPerson: nothing,
  updateConversationAsPerson: inTheChannel,
  muteConversationAsPerson: inTheChannel,
  addMemberAsPerson: id((scene) => scene.anotherChannel()),
  openDmAsPerson: nothing,
  sendMessageAsPerson: inTheChannel,
  editMessageAsPerson: id((scene) => scene.personsMessage()),
  setFocusAsPerson: nothing,
  createPushSubscriptionAsPerson: nothing,
  createUploadSessionAsPerson: nothing,
  confirmFileAsPerson: id((scene) => scene.file('client'), 'file_id'),
  reviewExecutionTaskAsPerson: id((scene) => scene.task({ isCompleted: true }), 'widget_id'),
  approveInteractionAsPerson: id((scene) => scene.interactionOfApp(), 'uid'),
  decideApprovalAsPerson: id((scene) => scene.approval()),
  clickAsPerson: async (scene) => {
    const { id, signedToken } = await scene.card();
    return {
      path: { id },
      instead: { 's1.1795600000000.m3JXv0l0cS9Rj0hYkqk3k1Qy0bqC1g5Jr7bN6k0uXyE': signedToken },
    };
  },
  actOnBlockAsPerson: id((scene) => scene.appMessage()),
  suggestBlockOptionsAsPerson: id((scene) => scene.appMessage()),
  actOnViewAsPerson: id((scene) => scene.appView()),
  suggestViewOptionsAsPerson: id((scene) => scene.appView()),
  submitViewAsPerson: id((scene) => scene.appView()),
  closeViewAsPerson: id((scene) => scene.appView()),
  invokeShortcutAsPerson: async (scene) => ({
    path: { id: await scene.messageShortcut() },
    instead: { '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42': await scene.personsMessage() },
  }),
  submitModalAsPerson: id((scene) => scene.modalToken(), 'modal_token'),
  suggestModalOptionsAsPerson: id((scene) => scene.modalToken(), 'modal_token'),
  invokeCommandAsPerson: inTheChannel,
  suggestCommandOptionsAsPerson: inTheChannel,

  callMcp: nothing,
  callSlackMethod: async () => ({ path: { method: 'api.test' } }),
  respondToSlackUrl: async (scene) => ({
    path: {
      team: slackId('space', scene.workspace.spaceId),
      response_token: await scene.responseToken(),
    },
  }),
  exchangeToken: async (scene) => ({ instead: await scene.authorized() }),
  registerClient: nothing,
  revokeToken: async (scene) => ({ instead: await scene.authorized() }),
  updateMe: async (scene) => ({ token: (await scene.anotherBot()).token }),
  openDm: nothing,
  createConversation: nothing,
  updateConversation: inTheChannel,
  addMember: inTheChannel,
  setStatus: inTheChannel,
  setPrompts: inTheChannel,
  titleThread: id((scene) => scene.personsMessage(), 'root_message_id'),
  rotatePushSecret: nothing,
  createUploadSession: nothing,
  confirmFile: id((scene) => scene.file('bot'), 'file_id'),
  sendMessage: nothing,
  editMessage: id((scene) => scene.botsMessage(), 'message_id'),
  sendEphemeralMessage: nothing,
  createApproval: nothing,
  cancelApproval: id((scene) => scene.approval()),
  scheduleMessage: () => ({ instead: { '2099-01-31T08:55:00Z': tomorrow() } }),
  createExecutionTask: nothing,
  updateExecutionTask: id((scene) => scene.task(), 'widget_id'),
  createAgentRun: async (scene) => ({ instead: { [MESSAGE]: await scene.personsMessage() } }),
  updateAgentRun: id((scene) => scene.run(), 'run_id'),
  updateInteractiveConfig: async (scene) => ({ token: (await scene.anotherBot()).token }),
  rotateInteractiveSecret: nothing,
  setShortcuts: nothing,
  publishHome: id((scene) => scene.member(), 'user_id'),
  respondToInteraction: async (scene) => ({
    path: { interaction_id: await scene.interaction() },
    token: scene.polling.token,
  }),
  openModal: async (scene) => ({ instead: { 'tlt_AZrX…': await scene.trigger() } }),
  pushModal: id((scene) => scene.modal(), 'modal_id'),
  updateModal: id((scene) => scene.modal(), 'modal_id'),
  respondLate: id((scene) => scene.responseToken(), 'response_token'),
  registerCommand: async (scene) => {
    const { id, token } = await scene.anotherBot();
    return { path: { bot_id: id }, token, instead: { deploy: 'deploy-again' } };
  },
  updateCommand: async (scene) => ({
    path: { ...(await ofTheBot(scene)).path, command_id: await scene.commandId() },
  }),
  rotateCommandSecret: async (scene) => ({
    path: { ...(await ofTheBot(scene)).path, command_id: await scene.commandId() },
  }),

  postToIncomingWebhook: hook,
  editIncomingMessage: async (scene) => ({ path: await scene.hooksMessage() }),
  postToHook: hook,
  postToWebhooksHook: hook,
  postToNamedHook: hook,
  postToService: hook,

  updateSpaceAsAdmin: nothing,
  createUserAsAdmin: nothing,
  updateUserAsAdmin: id((scene) => scene.member()),
  createBotAsAdmin: nothing,
  updateBotAsAdmin: id(async (scene) => (await scene.anotherBot()).id),
  regenerateBotTokenAsAdmin: id(async (scene) => (await scene.anotherBot()).id),
  updateInteractiveConfigAsAdmin: id(async (scene) => (await scene.anotherBot()).id),
  setShortcutsAsAdmin: id(async (scene) => (await scene.anotherBot()).id),
  rotateInteractiveSecretAsAdmin: ({ workspace }) => ({ path: { id: workspace.botId } }),
  testClickAsAdmin: ({ polling }) => ({ path: { id: polling.id } }),
  createAppAsAdmin: nothing,
  createAppFromManifestAsAdmin: () => ({ instead: { deploy: 'deploy-by-manifest' } }),
  updateAppFromManifestAsAdmin: async (scene) => ({
    path: { id: await scene.app() },
    instead: { deploy: 'change-by-manifest' },
  }),
  updateAppAsAdmin: id((scene) => scene.app()),
  rotateClientSecretAsAdmin: id((scene) => scene.app()),
  updateAppAsOperator: id((scene) => scene.app()),
  approveAppRequestAsAdmin: id((scene) => scene.appRequest()),
  createIncomingWebhookAsAdmin: nothing,
  updateIncomingWebhookAsAdmin: id(async (scene) => (await scene.hook()).id),
  rotateIncomingWebhookSecretAsAdmin: id(async (scene) => (await scene.hook()).id),
  createOutgoingWebhookAsAdmin: nothing,
  updateOutgoingWebhookAsAdmin: id((scene) => scene.subscriptionId()),
  rotateOutgoingWebhookSecretAsAdmin: id((scene) => scene.subscriptionId()),
  recoverDeliveriesAsAdmin: id((scene) => scene.subscriptionId()),
};

const numbered = (last: string): string => `0190f2a4-7c1b-7000-8000-00000000${last}`;
const MESSAGE = numbered('e001');

/** The ids in the document's examples, mapped to those of this scene. */
const idsOf = ({ channel, person, workspace }: ExamplesScene): Record<string, string> => ({
  [numbered('c001')]: channel,
  [numbered('a001')]: person.id,
  [numbered('b001')]: workspace.botId,
});

export interface Example {
  operationId: string;
  method: string;
  path: string;
  callers: string[];
  type: string;
  value: unknown;
}

/**
 * Sends one example with only ids and tokens replaced. @returns what is wrong with the response, or
 * undefined
 */
export async function tryExample(scene: ExamplesScene, example: Example): Promise<string | undefined> {
  const prepared = await prepareExample(scene, example);
  if (!prepared) return `${example.operationId}: nobody says under which circumstances it is tried`;
  const response = await prepared.send(prepared.body);
  const answer = await response.text();
  // Answers with warnings of their own have an empty list.
  const hasWarnings = /"warnings":\[[^\]]/.test(answer);
  return response.status < 300 && !hasWarnings
    ? undefined
    : `${example.operationId}: ${response.status} ${answer.slice(0, 300)}`;
}

/** An example that is ready to send. */
export interface PreparedExample {
  /** With the ids and tokens of the scene. */
  body: string;
  send: (body: string) => Promise<Response>;
}

/** Prepares what an example needs. @returns undefined if its operation is not in the list */
export async function prepareExample(
  scene: ExamplesScene,
  example: Example,
): Promise<PreparedExample | undefined> {
  const circumstance = CIRCUMSTANCES[example.operationId];
  if (!circumstance) return undefined;
  const { path = {}, token = tokenOf(scene, example.callers), instead = {} } = await circumstance(scene);
  const address = example.path.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
  return {
    body: bodyOf(example, { ...idsOf(scene), ...instead }),
    send: (body) =>
      fetch(`${scene.api.url}${address}`, {
        method: example.method,
        headers: { 'content-type': example.type, ...(token && { authorization: `Bearer ${token}` }) },
        body,
      }),
  };
}

function tokenOf({ person, workspace }: ExamplesScene, [caller]: string[]): string | undefined {
  if (caller === 'operator') return TEST_ENVIRONMENT.OPERATOR_TOKEN;
  if (caller === 'bot') return workspace.botToken;
  return caller === undefined ? undefined : person.token;
}

function bodyOf({ type, value }: Example, instead: Record<string, string>): string {
  const json = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'string' ? (instead[one] ?? one) : one,
  );
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(JSON.parse(json) as Record<string, string>).toString();
  return typeof value === 'string' ? value : json;
}
