import { chatAccess, chatErrors, findMessage } from '@tieline/conversations';
import type { AttachmentStatus } from '@tieline/conversations';
import type { Artifact } from '@tieline/execution-tasks';
import { attachFiles, fileRecordsOf, inspectFiles } from '@tieline/files';
import type { FileRecord, FileLookupResult, FileSelection } from '@tieline/files';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';

/** Files a bot delivers with the end of its run. */
export interface FinalFiles {
  fileIds: readonly string[];
  /** State of the files in the store, read before the transaction. */
  found: FileLookupResult | undefined;
}

/** Result for the files. */
export interface RunFiles {
  status: AttachmentStatus;
  /** Files confirmed by the store, for the linked task. */
  artifacts: Artifact[];
  /** Whether they are bound to the placeholder, which then must not be deleted. */
  bound: boolean;
}

const NO_FILES: RunFiles = { status: 'none', artifacts: [], bound: false };

/**
 * Attaches the final files to the placeholder. If it was deleted, the files are still checked, and
 * the status is `failed`. The caller holds the run's row lock; takes the locks of the files.
 * @throws 403 the bot is no longer a member, or files are unknown, another bot's or another
 *   conversation's; 400 not ready, already attached
 */
export async function attachRunFiles(
  tx: Tx,
  run: AgentRun,
  { fileIds, found }: FinalFiles,
): Promise<RunFiles> {
  if (fileIds.length === 0) return NO_FILES;
  const { spaceId, botId, conversationId, parentMessageId, messageId } = run;
  const { refused } = await chatAccess.sending(tx, { spaceId, conversationId, author: { id: botId } });
  // An archived conversation accepts no new messages, but this one already exists.
  if (refused !== undefined && refused !== 'archived') throw chatErrors.botNotInConversation();
  const named: FileSelection = {
    conversationId,
    fileIds,
    found,
    ...(parentMessageId !== null && { parentMessageId }),
  };
  if ((await findMessage(tx, spaceId, messageId))?.deletedAt !== null) {
    return {
      status: 'failed',
      artifacts: artifactsOf(await inspectFiles(tx, run, named), found),
      bound: false,
    };
  }
  const { records, status } = await attachFiles(tx, run, { ...named, messageId });
  return { status, artifacts: artifactsOf(records, found), bound: true };
}

function artifactsOf(records: readonly FileRecord[], found: FileLookupResult | undefined): Artifact[] {
  return records
    .filter(({ file_id }) => !found?.undecided.has(file_id))
    .map(({ file_id, file_name, mime_type, file_size }) => ({ file_id, file_name, mime_type, file_size }));
}

/**
 * Returns the current attachment status. If the store did not respond at first, the placeholder has
 * a newer one.
 */
export async function attachmentStatusNow(
  q: Queryable,
  { spaceId, messageId, attachmentStatus }: AgentRun,
): Promise<AttachmentStatus> {
  if (attachmentStatus !== 'pending') return attachmentStatus;
  const attached = (await fileRecordsOf(q, spaceId, [messageId])).get(messageId);
  return attached?.status ?? 'failed';
}
