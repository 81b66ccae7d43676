/** The rendered parts of a message's `metadata_json`. Ignores unexpected shapes. */
export interface RichContent {
  blocks: readonly Fields[];
  attachments: readonly Fields[];
  /** Link buttons of incoming webhooks. */
  buttons: readonly { text: string; url: string }[];
  /** Markup of blocks and attachments written by a webhook. */
  dialect: 'slack' | 'mattermost';
  run?: AgentRun;
  /** Id of the approval whose card this is. */
  approvalId?: string;
}

export interface AgentRun {
  id: string;
  status: string;
  isFinal: boolean;
  /** Whether a person has asked the bot to stop. */
  isStopping: boolean;
  errorCode: string;
  /** Text that the server stores for the status while the bot has not written anything. */
  statusText: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the blocks of a Slack app, if the message has some. */
export function appBlocksOf(message: object): readonly Fields[] | undefined {
  const { app_blocks: blocks } = asFields(message);
  return Array.isArray(blocks) ? objects(blocks) : undefined;
}

/** Parses `metadata_json`. Never throws. */
export function readMetadata(json: string): RichContent {
  const fields = asFields(parsed(json));
  const approvalId = fields.kind === 'approval' ? text(fields.approval_id) : '';
  const run = fields.kind === 'agent_run' ? asFields(fields.agent_run) : undefined;
  return {
    dialect: fields.markup === 'markdown' ? 'mattermost' : 'slack',
    blocks: objects(fields.blocks),
    attachments: objects(fields.attachments),
    buttons: objects(fields.buttons)
      .map((button) => ({ text: text(button.text), url: address(button.url) }))
      .filter((button) => button.url !== ''),
    ...(/^[0-9a-f-]{36}$/.test(approvalId) && { approvalId }),
    ...(run && {
      run: {
        id: text(run.run_id),
        status: text(run.status),
        isFinal: run.is_terminal === true,
        isStopping: run.stop_requested === true,
        errorCode: text(run.error_code),
        statusText: text(run.status_text),
      },
    }),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns objects unchanged and an empty object for anything else. */
export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Returns the objects of a list. */
export const objects = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

/** Returns the strings of a list. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Returns a string or the text of a text element (`{type, text}`), else ''. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const inner = asFields(value).text;
  return typeof inner === 'string' ? inner : '';
}

/** Returns an https address, else ''. */
export const address = (value: unknown): string =>
  typeof value === 'string' && /^https:\/\//i.test(value) ? value : '';

/** Returns the options of an element or field. */
export const options = (value: unknown): { id: string; label: string }[] =>
  objects(value).map((option) => ({
    id: text(option.value),
    label: text(option.label) || text(option.value),
  }));
