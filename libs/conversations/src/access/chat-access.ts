import { isMember } from './membership.queries.js';
import { readingAccess } from './reading-access.js';
import { requireReadable } from './require-readable.js';
import { sendingAccess } from './sending-access.js';

/** What people and bots may do in a conversation, for other libs. */
export const chatAccess = {
  isMember,
  reading: readingAccess,
  requireReadable,
  sending: sendingAccess,
};
