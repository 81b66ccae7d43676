-- Options of commands, judged before they are stored: a list of {name, description, type, required, …}.
-- works with: slash/0004-bot-resets
ALTER TABLE slash_commands ADD COLUMN options jsonb NOT NULL DEFAULT '[]';
