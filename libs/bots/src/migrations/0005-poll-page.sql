-- A page of a queue, always by its index: a planner that takes a queue for nearly empty, because it has grown since it last looked,
-- would read all of it and sort. The setting is the function's own, and a function that has one is planned by itself.
CREATE FUNCTION poll_page(of_space uuid, of_bot uuid, after bigint, at_most integer)
RETURNS TABLE (id bigint, event_id uuid, event_type text, payload text)
LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT r.id, r.event_id, r.event_type, r.payload FROM poll_records r
   WHERE r.space_id = of_space AND r.bot_id = of_bot AND r.id > after ORDER BY r.id LIMIT at_most
$$;
