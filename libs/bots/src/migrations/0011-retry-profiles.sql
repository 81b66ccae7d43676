-- works with: bots/0010-overlapping-push-secrets
ALTER TABLE bots ADD COLUMN retry_profile text NOT NULL DEFAULT 'contract' CHECK (retry_profile IN ('contract', 'extended'));
