import type { MessageView } from '@tieline/sdk/api';
import { readMetadata } from '../blocks/metadata.js';

/** Whether the author edited the message. Updates of polls and agent runs do not count. */
export const isEdited = (
  message: Pick<MessageView, 'edited_at' | 'author_type' | 'metadata_json'>,
): boolean =>
  message.edited_at !== undefined &&
  message.author_type !== 'system' &&
  readMetadata(message.metadata_json ?? '').run === undefined;
