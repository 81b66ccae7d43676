-- The index of the last message until a moment. Whoever asks has mostly been away for a short time: the search begins at the end of the
-- conversation and goes back by steps that grow, so that it costs as much as there is new, however long the conversation is.
-- works with: conversations/0007-devices-of-sessions
CREATE OR REPLACE FUNCTION last_msg_index_until(of_space uuid, of_conversation uuid, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  high   bigint := coalesce((SELECT last_msg_index FROM conversations WHERE space_id = of_space AND id = of_conversation), 0);
  low    bigint := high;
  step   bigint := 4;
  middle bigint;
BEGIN
  WHILE low > 0 AND (SELECT sent_at <= moment FROM messages WHERE space_id = of_space AND conversation_id = of_conversation AND msg_index = low) IS NOT TRUE LOOP
    high := low - 1;
    low := greatest(0, low - step);
    step := step * 4;
  END LOOP;
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT sent_at <= moment FROM messages WHERE space_id = of_space AND conversation_id = of_conversation AND msg_index = middle) THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;
