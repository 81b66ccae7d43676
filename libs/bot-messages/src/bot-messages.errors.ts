import { ApiError, badRequest } from '@tieline/platform/http';

/** 400 for an ephemeral message to a person who is not a member of the conversation. */
export const userIsNoMember = (): ApiError =>
  badRequest('user_not_member', 'user is not a member of the conversation', 'user_id');
