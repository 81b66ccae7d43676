/**
 * A built-in command as a person gave it; that they are a member and the conversation takes
 * messages is checked.
 */
export interface BuiltinInvocation {
  spaceId: string;
  userId: string;
  /** As the caller named it: channel, voice chat, direct chat or thread. */
  conversationId: string;
  /** Root message, when given in a thread: pass it on as `parentMessageId` of what is posted. */
  threadId?: string;
  /** Without the slash. */
  command: string;
  /** Everything after the first space; "" when there is nothing. */
  text: string;
  /** The whole text with the command. */
  rawText: string;
  /** UUIDv7 of this invocation; no trigger is kept for it. */
  triggerId: string;
}

/**
 * What the person gets: a message that was posted where the command was given, or a text for their
 * eyes only.
 */
export type BuiltinAnswer =
  { result: 'in_channel'; messageId: string; text?: string } | { result: 'ephemeral'; text: string };

/** A command that the product answers itself. Its name is reserved in every space. */
export interface BuiltinCommand {
  readonly name: string;
  readonly description: string;
  readonly usageHint: string;
  /**
   * Called outside any transaction, after the rates. @throws ApiError, which the person gets
   * unchanged
   */
  run(invocation: BuiltinInvocation): Promise<BuiltinAnswer>;
}

/** The commands that this process answers itself. */
export class BuiltinCommands {
  private readonly byName: ReadonlyMap<string, BuiltinCommand>;

  /** @throws Error when two have the same name */
  constructor(readonly all: readonly BuiltinCommand[]) {
    this.byName = new Map(all.map((command) => [command.name, command]));
    if (this.byName.size < all.length)
      throw new Error(`two built-in commands have the same name: ${all.map(({ name }) => name).join(', ')}`);
  }

  /** The command of this name, exactly as written. */
  find(name: string): BuiltinCommand | undefined {
    return this.byName.get(name);
  }

  /** Whether no bot may have a command of this name (contract, "Custom slash commands"). */
  isReserved(name: string): boolean {
    return this.byName.has(name);
  }
}
