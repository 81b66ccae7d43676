import { statement } from '@tieline/platform/database';

/** Adds a notice for the admins of a space. */
export const RAISE_NOTICE = statement(
  'spaces.raise_notice',
  'INSERT INTO notices (space_id, id, kind, object_type, object_id, text) VALUES ($1, $2, $3, $4, $5, $6)',
  {},
);
