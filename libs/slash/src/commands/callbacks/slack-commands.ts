import type { InvocationPayload } from '../../triggers/slash-triggers.js';

type Fields = Record<string, unknown>;

/**
 * Port to the lib that knows Slack's format, for commands of bots whose event format is Slack's
 * (docs/slack-apps.md#slash-commands).
 */
export abstract class SlackCommands {
  /** Returns the body of the request for a command: a form. */
  abstract form(botId: string, payload: InvocationPayload): Promise<string>;

  /** Returns an answer of a Slack app as the answer of a bot. */
  abstract answer(given: Fields | undefined): Fields | undefined;
}
