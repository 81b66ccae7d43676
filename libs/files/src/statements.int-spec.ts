import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as attachments from './attachments/attachments.statements.js';
import * as grants from './grants/file-grants.statements.js';
import * as removal from './removal/removal.statements.js';
import * as usage from './uploads/usage.statements.js';
import { StoredFile } from './file.entity.js';

describeStatements(attachments, grants, removal, usage);
describeEntities(StoredFile);

describeClaims(
  {
    statement: attachments.CLAIM_PENDING,
    params: [7],
    fill: `INSERT INTO message_attachments (space_id, message_id, bot_id, status, check_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending', now() FROM generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM message_attachments WHERE attempts = 0',
    takes: 7,
  },
  {
    statement: removal.DROP_UNATTACHED,
    params: [7],
    fill: `WITH channel AS (
        INSERT INTO conversations (space_id, id, type, scope, name, created_by) VALUES (gen_random_uuid(), gen_random_uuid(), 'channel', 'public', 'x', gen_random_uuid()) RETURNING space_id, id)
      INSERT INTO files (space_id, id, bot_id, conversation_id, file_type, file_name, mime_type, file_size, created_at)
      SELECT space_id, gen_random_uuid(), gen_random_uuid(), channel.id, 'image', 'x', 'image/png', 1, now() - interval '2 days' FROM channel, generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM files',
    takes: 7,
  },
  {
    statement: removal.CLAIM_REMOVALS,
    params: [7],
    fill: `INSERT INTO file_removals (space_id, file_id, final_after)
      SELECT gen_random_uuid(), gen_random_uuid(), now() FROM generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM file_removals WHERE attempts = 0',
    takes: 7,
  },
);
