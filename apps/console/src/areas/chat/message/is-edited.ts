import type { MessageView } from '@tieline/sdk/api';
import { readMetadata } from '../blocks/metadata.js';

/** Whether the author edited it. Updates of polls, agent runs and approvals do not count. */
export function isEdited(message: Pick<MessageView, 'edited_at' | 'author_type' | 'metadata_json'>): boolean {
  if (message.edited_at === undefined || message.author_type === 'system') return false;
  const { run, approvalId } = readMetadata(message.metadata_json ?? '');
  return run === undefined && approvalId === undefined;
}
