/** An invocation of a built-in command. Membership and archiving have already been checked. */
export interface BuiltinInvocation {
  spaceId: string;
  userId: string;
  /** The conversation from the request: channel, voice chat, direct chat or thread. */
  conversationId: string;
  /** Root message when invoked in a thread. Pass it as `parentMessageId` of messages you post. */
  threadId?: string;
  /** Without the slash. */
  command: string;
  /** Everything after the first space; "" if there is nothing. */
  text: string;
  /** The whole text including the command. */
  rawText: string;
  /** UUIDv7 of this invocation; no trigger is stored. */
  triggerId: string;
}

/** Result for the person: a message posted in the conversation, or a text that only they see. */
export type BuiltinAnswer =
  { result: 'in_channel'; messageId: string; text?: string } | { result: 'ephemeral'; text: string };

/** A command that the product implements. Its name is reserved in every space. */
export interface BuiltinCommand {
  readonly name: string;
  readonly description: string;
  readonly usageHint: string;
  /**
   * Runs the command, outside any transaction and after the rate limits. @throws ApiError, which is
   * returned to the person unchanged
   */
  run(invocation: BuiltinInvocation): Promise<BuiltinAnswer>;
}

/** The built-in commands of this process. */
export class BuiltinCommands {
  private readonly byName: ReadonlyMap<string, BuiltinCommand>;

  /** @throws Error if two commands have the same name */
  constructor(readonly all: readonly BuiltinCommand[]) {
    this.byName = new Map(all.map((command) => [command.name, command]));
    if (this.byName.size < all.length)
      throw new Error(`two built-in commands have the same name: ${all.map(({ name }) => name).join(', ')}`);
  }

  /** Returns the command with exactly this name. */
  find(name: string): BuiltinCommand | undefined {
    return this.byName.get(name);
  }

  /** Returns whether the name is reserved, so that no bot can register it. */
  isReserved(name: string): boolean {
    return this.byName.has(name);
  }
}
