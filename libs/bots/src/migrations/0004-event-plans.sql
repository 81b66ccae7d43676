-- What the planner matches events against: the bots that may get any, as of the last event that was planned. Only the relay
-- writes it, in the transaction that plans the `bot.changed` event, so that an event is never judged by a later setting.
CREATE TABLE bot_plans (
  space_id uuid  NOT NULL,
  id       uuid  NOT NULL,
  config   jsonb NOT NULL,
  PRIMARY KEY (space_id, id)
);
INSERT INTO bot_plans (space_id, id, config)
SELECT space_id, id, jsonb_build_object('id', id, 'eventTypes', event_types, 'channelIds', channel_ids, 'mode', event_delivery_mode)
FROM bots WHERE is_active AND deleted_at IS NULL;

-- Push deliveries that failed since the last 2xx.
ALTER TABLE bots ADD COLUMN push_failures integer NOT NULL DEFAULT 0;
CREATE INDEX bots_by_id ON bots (id);
