/** Details of an error besides its name. */
export interface SlackErrorDetails {
  /** For developers, in `response_metadata.messages`. */
  messages?: readonly string[];
  /** Further fields of the answer. */
  fields?: Readonly<Record<string, unknown>>;
  /** Of `ratelimited`: whole seconds. */
  retryAfter?: number;
}

/** An answer with `ok: false` and one of Slack's names for the error. */
export class SlackError extends Error {
  readonly messages: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;

  constructor(
    readonly error: string,
    { messages = [], fields = {}, retryAfter }: SlackErrorDetails = {},
  ) {
    super(error);
    this.messages = messages;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** The error for an argument that is missing or malformed. */
export const invalidArgument = (text: string): SlackError =>
  new SlackError('invalid_arguments', { messages: [`[ERROR] ${text}`] });
