import { ApiError, badRequest, conflict, forbidden, notFound } from '@tieline/platform/http';

/* Errors for writing to a conversation. */
export const botNotInConversation = (): ApiError =>
  forbidden('bot_not_in_conversation', 'bot not in conversation');
export const conversationIsArchived = (): ApiError =>
  forbidden('conversation_archived', 'conversation is archived');
/** 400 for a parent that is not a message of the conversation or its threads. */
export const parentNotFound = (): ApiError =>
  badRequest('parent_not_found', 'parent message not found in this conversation', 'parent_message_id');

/** 400 for an ephemeral message to a person who is not a member of the conversation. */
export const userIsNoMember = (): ApiError =>
  badRequest('user_not_member', 'user is not a member of the conversation', 'user_id');

/* Errors for editing and deleting. */
export const messageNotFound = (): ApiError => notFound('message_not_found', 'message not found');
export const notTheAuthor = (): ApiError =>
  forbidden('message_of_another_author', 'message of another author');
export const messageDeleted = (): ApiError => new ApiError(410, 'message_deleted', 'message deleted');
/** 409 for the placeholder of an agent run. */
export const messageBelongsToRun = (): ApiError =>
  conflict('message_of_unfinished_run', 'message belongs to a running agent run');
