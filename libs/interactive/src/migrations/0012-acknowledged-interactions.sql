-- Interactions that a socket's acknowledgement answered: a repeated acknowledgement has no effect, an answer after `respond` is refused.
-- works with: interactive/0005-sealed-builtin-keys
ALTER TABLE interactions ADD COLUMN is_acknowledged boolean NOT NULL DEFAULT false;
