import type { MessageView } from '@tieline/sdk/api';
import { readMetadata } from '../blocks/metadata.js';

/** Whether somebody changed what was said. Polls and runs of agents change by themselves. */
export const isEdited = (
  message: Pick<MessageView, 'edited_at' | 'author_type' | 'metadata_json'>,
): boolean =>
  message.edited_at !== undefined &&
  message.author_type !== 'system' &&
  readMetadata(message.metadata_json ?? '').run === undefined;
