-- Prompts end with the membership of their bot.
-- works with: live-stream/0002-bot-prompts
DELETE FROM bot_prompts p
WHERE NOT EXISTS (
  SELECT 1
  FROM conversation_members m
  WHERE m.space_id = p.space_id AND m.conversation_id = p.channel_id AND m.member_id = p.bot_id
);
ALTER TABLE bot_prompts ADD FOREIGN KEY (space_id, channel_id, bot_id)
  REFERENCES conversation_members (space_id, conversation_id, member_id) ON DELETE CASCADE;
