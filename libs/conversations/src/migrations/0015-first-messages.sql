-- A new index of this kind has an entry for its first pages, which each message in them would change. The
-- entry is created later, when these pages are full, as for all other pages.
-- works with: conversations/0013-topics
SELECT brin_desummarize_range('messages_sent_at', 0) WHERE NOT EXISTS (SELECT 1 FROM messages);
