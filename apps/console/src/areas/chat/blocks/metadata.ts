/**
 * What a message's `metadata_json` holds, as far as it is drawn. Whatever has another shape is left
 * out.
 */
export interface RichContent {
  blocks: readonly Fields[];
  attachments: readonly Fields[];
  /** Of incoming webhooks: they lead somewhere. */
  buttons: readonly { text: string; url: string }[];
  /** In which markup a webhook wrote blocks and attachments. */
  dialect: 'slack' | 'mattermost';
  run?: AgentRun;
}

export interface AgentRun {
  status: string;
  isFinal: boolean;
  errorCode: string;
  /**
   * What the server says for the status, as the message's text where the bot has said nothing yet.
   */
  statusText: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Reads `metadata_json`; nothing that a bot sends makes it throw. */
export function readMetadata(json: string): RichContent {
  const fields = asFields(parsed(json));
  const run = fields.kind === 'agent_run' ? asFields(fields.agent_run) : undefined;
  return {
    dialect: fields.markup === 'markdown' ? 'mattermost' : 'slack',
    blocks: objects(fields.blocks),
    attachments: objects(fields.attachments),
    buttons: objects(fields.buttons)
      .map((button) => ({ text: text(button.text), url: address(button.url) }))
      .filter((button) => button.url !== ''),
    ...(run && {
      run: {
        status: text(run.status),
        isFinal: run.is_terminal === true,
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

/** The value when it is an object, else an empty one. */
export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The objects of a list. */
export const objects = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

/** The texts of a list. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** A text, or '' for anything else. Text elements (`{type, text}`) count as theirs. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const inner = asFields(value).text;
  return typeof inner === 'string' ? inner : '';
}

/** An https address, or ''. */
export const address = (value: unknown): string =>
  typeof value === 'string' && /^https:\/\//i.test(value) ? value : '';

/** Options of an element or field. */
export const options = (value: unknown): { id: string; label: string }[] =>
  objects(value).map((option) => ({
    id: text(option.value),
    label: text(option.label) || text(option.value),
  }));
