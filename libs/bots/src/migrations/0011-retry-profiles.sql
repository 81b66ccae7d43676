-- works with: bots/0009-callbacks
ALTER TABLE bots ADD COLUMN retry_profile text NOT NULL DEFAULT 'contract' CHECK (retry_profile IN ('contract', 'extended'));
