import type { Db } from '@tieline/platform/database';

/** A built-in command as a person gave it; that they are a member and the conversation takes messages is checked. */
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

/** What the person gets: a message that was posted where the command was given, or a text for their eyes only. */
export type BuiltinAnswer =
  { result: 'in_channel'; messageId: string; text?: string } | { result: 'ephemeral'; text: string };

/** A command that the product answers itself. Its name is reserved in every space. */
export interface BuiltinCommand {
  name: string;
  description: string;
  usageHint: string;
  /** Called outside any transaction, after the rates. @throws ApiError, which is answered as it is */
  run(db: Db, invocation: BuiltinInvocation): Promise<BuiltinAnswer>;
}

/** Reserved whether or not the program has their code (contract, "Custom slash commands"). */
const RESERVED = ['poll', 'remind'];

const commands = new Map<string, BuiltinCommand>();

/** Adds a built-in command, at module level. @throws Error for a name that is taken */
export function registerBuiltinCommand(command: BuiltinCommand): void {
  if (commands.has(command.name)) throw new Error(`two built-in commands are named ${command.name}`);
  commands.set(command.name, command);
}

/** The built-in command of this name, exactly as written. */
export function findBuiltinCommand(name: string): BuiltinCommand | undefined {
  return commands.get(name);
}

/** All built-in commands, in no particular order. */
export function builtinCommands(): BuiltinCommand[] {
  return [...commands.values()];
}

/** Whether no bot may have a command of this name. */
export function isReserved(name: string): boolean {
  return RESERVED.includes(name) || commands.has(name);
}
