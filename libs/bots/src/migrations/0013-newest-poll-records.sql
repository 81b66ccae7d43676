-- The newest records of a queue between two moments, for admins; always by its index, like poll_page.
-- works with: bots/0012-socket
CREATE FUNCTION newest_poll_records(of_space uuid, of_bot uuid, since bigint, before bigint, at_most integer)
RETURNS TABLE (id bigint, event_id uuid, event_type text, payload text)
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT r.id, r.event_id, r.event_type, r.payload FROM poll_records r
   WHERE r.space_id = of_space AND r.bot_id = of_bot AND r.id >= since AND r.id < before ORDER BY r.id DESC LIMIT at_most
$$;
