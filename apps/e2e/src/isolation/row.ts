/** What belongs to the victim: bot `a` of space A, and the owner of space A. */
export interface Victims {
  channel: string;
  message: string;
  file: string;
  run: string;
  task: string;
  freeTrigger: string;
  owner: string;
  member: string;
  bot: string;
  subscription: string;
  delivery: string;
  recovery: string;
  notice: string;
  /** Of a click on the message's button, and that button's token. */
  interaction: string;
  /** Of that click as well. */
  responseToken: string;
  signedToken: string;
  /** An incoming webhook. */
  hook: string;
  /** The owner's, of a browser. */
  session: string;
  /** The owner's, for pushes. */
  device: string;
  /** Name of a slash command. */
  command: string;
  commandId: string;
}

export interface Row {
  /** Values of the path's parameters, in order. */
  ids?: (keyof Victims)[];
  query?: string;
  body?: (victims: Victims) => object;
  /** Of a call about the caller's own that makes something. */
  made?: true;
  /**
   * What a token of the same space without rights here gets, and one of another space; none: the
   * endpoint is about the caller's own (200).
   */
  near?: number;
  far?: number;
}
