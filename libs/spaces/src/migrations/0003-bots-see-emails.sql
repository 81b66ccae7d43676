-- Whether bots are shown people's e-mail addresses, and find people by them.
-- works with: spaces/0002-audit-log-age
ALTER TABLE spaces ADD COLUMN bots_see_emails boolean NOT NULL DEFAULT false;
CREATE INDEX users_email ON users (space_id, lower(email)) WHERE email <> '';
