/** Ids and tokens of the victims: bot `a` of space A, and the owner of space A. */
export interface Victims {
  channel: string;
  message: string;
  file: string;
  run: string;
  task: string;
  approval: string;
  approvalRule: string;
  app: string;
  /** What that app asks a person for. */
  interactionOfApp: string;
  /** A member's request to admins. */
  appRequest: string;
  freeTrigger: string;
  owner: string;
  member: string;
  bot: string;
  subscription: string;
  delivery: string;
  recovery: string;
  notice: string;
  /** Interaction of a click on the message's button, and that button's token. */
  interaction: string;
  /** Response token of that click. */
  responseToken: string;
  /** Trigger id of that click, and the modal that it opened. */
  trigger: string;
  modal: string;
  signedToken: string;
  /** An incoming webhook. */
  hook: string;
  /** The owner's browser session. */
  session: string;
  /** The owner's device for pushes. */
  device: string;
  /** Name of a slash command. */
  command: string;
  commandId: string;
  /** A message shortcut. */
  shortcut: string;
}

export interface Row {
  /** Values of the path parameters, in order. */
  ids?: (keyof Victims)[];
  query?: string;
  body?: (victims: Victims) => object;
  /** For a call that creates something of the caller's own. */
  made?: true;
  /**
   * Status for a token of the same space without access, and for one of another space. Absent if
   * the endpoint is about the caller's own data (200).
   */
  near?: number;
  far?: number;
}
