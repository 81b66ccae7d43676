-- What people think of bots' messages with feedback buttons.
-- works with: interactive/0012-acknowledged-interactions
CREATE TABLE message_feedback (
  space_id   uuid    NOT NULL,
  message_id uuid    NOT NULL,
  user_id    uuid    NOT NULL,
  -- A withdrawn choice keeps its row, because the changes are counted.
  choice     text    NOT NULL CHECK (choice IN ('positive', 'negative', 'none')),
  -- Number of changes, so that a choice that returns is not taken for a repeated click.
  changes    integer NOT NULL DEFAULT 1,
  PRIMARY KEY (space_id, message_id, user_id)
) WITH (fillfactor = 80);
