import { ApiError, badRequest, conflict, forbidden, invalidField, notFound } from '@tieline/platform/http';
import type { AddRefusal, MessageRefusal, EditRefusal, PinRefusal, ReactionRefusal } from './refusals.js';

/* Errors for people's clients. Those for bots are at the end. */

export const conversationNotFound = (): ApiError =>
  notFound('conversation_not_found', 'conversation not found');
export const messageNotFound = (): ApiError => notFound('message_not_found', 'message not found');
export const memberNotFound = (): ApiError => notFound('member_not_found', 'member not found');
export const notMember = (): ApiError => forbidden('not_a_member', 'not a member of the conversation');
export const notReadable = (): ApiError => forbidden('not_readable', 'no access to the conversation');
const privateConversation = (): ApiError =>
  forbidden('conversation_private', 'the conversation is private: a member has to add you');
export const notAllowed = (): ApiError => forbidden('not_allowed', 'you may not do this in the conversation');
export const conversationArchived = (): ApiError =>
  forbidden('conversation_archived', 'conversation is archived');
const notAuthor = (): ApiError => forbidden('message_of_another_author', 'message of another author');
export const messageDeleted = (): ApiError => new ApiError(410, 'message_deleted', 'message deleted');
const messageIsBeingWritten = (): ApiError =>
  conflict('message_of_unfinished_run', 'message belongs to a running agent run');
export const unsupportedType = (): ApiError =>
  badRequest('unsupported_conversation_type', 'not possible in direct chats and threads');
export const threadsHaveNoMute = (): ApiError =>
  badRequest('unsupported_conversation_type', 'not possible in threads: mute the channel instead');
const parentNotFound = (): ApiError =>
  badRequest('parent_not_found', 'parent message not found in the conversation', 'parent_message_id');
export const userNotFound = (field: string): ApiError =>
  badRequest('user_not_found', 'user not found', field);
/** For admins who choose the conversation that notices are posted in. */
export const noPlaceForNotices = {
  unknown: (): ApiError =>
    badRequest('conversation_not_found', 'conversation not found', 'notices_conversation_id'),
  noChannel: (): ApiError =>
    badRequest(
      'unsupported_conversation_type',
      'not possible in direct chats and threads',
      'notices_conversation_id',
    ),
  archived: (): ApiError =>
    badRequest('conversation_archived', 'conversation is archived', 'notices_conversation_id'),
};
export const textRequired = (): ApiError => invalidField('text', 'text is required');
export const invalidEmoji = (): ApiError => invalidField('emoji', 'emoji must be an emoji or a :name:');
const tooManyReactions = (): ApiError =>
  new ApiError(400, 'too_many_reactions', 'a message has at most 50 different reactions');
const tooManyPins = (): ApiError =>
  conflict('limit_reached', 'a conversation has at most 100 pinned messages');
export const oneCursorOnly = (): ApiError =>
  badRequest('one_cursor_only', 'send only one of before_msg_index, after_msg_index and around_msg_index');

type Reason = AddRefusal | MessageRefusal | EditRefusal | ReactionRefusal | PinRefusal | 'private';

const BY_REASON: Readonly<Record<Reason, () => ApiError>> = {
  unknown_conversation: conversationNotFound,
  unknown_message: messageNotFound,
  unknown_parent: parentNotFound,
  unsupported_type: unsupportedType,
  private: privateConversation,
  archived: conversationArchived,
  not_member: notMember,
  not_author: notAuthor,
  deleted: messageDeleted,
  guarded: messageIsBeingWritten,
  too_many_reactions: tooManyReactions,
  too_many_pins: tooManyPins,
};

/** Returns the error for a refused write of a person. */
const personRefused = (reason: Reason): ApiError => BY_REASON[reason]();

/**
 * Returns a write's result, or throws the error for its refusal, which rolls back the transaction.
 */
export function throwIfRefused<Result extends object | undefined>(
  result: Result,
): Exclude<Result, { refused: Reason }> {
  if (result !== undefined && 'refused' in result) throw personRefused(result.refused as Reason);
  return result as Exclude<Result, { refused: Reason }>;
}

const botNotInConversation = (): ApiError => forbidden('bot_not_in_conversation', 'bot not in conversation');
/** 400 for a parent that is not a message of the conversation or its threads. */
const botParentNotFound = (): ApiError =>
  badRequest('parent_not_found', 'parent message not found in this conversation', 'parent_message_id');

/** Why a write of a bot was refused. */
type BotRefusal = MessageRefusal | EditRefusal | ReactionRefusal | PinRefusal;

const FOR_BOTS: Readonly<Record<BotRefusal, () => ApiError>> = {
  ...BY_REASON,
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  unknown_parent: botParentNotFound,
};

/** Returns the error for a refused write of a bot. */
const botRefused = (reason: BotRefusal): ApiError => FOR_BOTS[reason]();

/** The errors that other libs share. */
export const chatErrors = {
  botNotInConversation,
  botParentNotFound,
  botRefused,
  conversationArchived,
  invalidEmoji,
  messageDeleted,
  messageNotFound,
  notMember,
  notReadable,
  personRefused,
};
