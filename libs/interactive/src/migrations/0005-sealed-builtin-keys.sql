-- Keys of the product's own buttons are sealed by the SecretBox for the purpose builtin-components:<space_id>, those that are there when they are
-- used next. A program that knows the plain ones alone must not work beside this.
ALTER TABLE builtin_component_keys
  ADD COLUMN sealed_key bytea,
  ALTER COLUMN key DROP NOT NULL,
  ADD CHECK ((key IS NULL) <> (sealed_key IS NULL));
