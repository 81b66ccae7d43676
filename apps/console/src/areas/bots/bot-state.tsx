import type { AdminBotView } from '@tieline/sdk/api';
import { useWords } from '../../language/use-words.js';
import { Badge } from '../../ui/data/badge.js';
import { botsWords } from './words.js';

/** Shows the state of a bot as one word. */
export function BotState({ bot }: { bot: AdminBotView }) {
  const words = useWords(botsWords);
  if (!bot.is_active) return <Badge kind="plain">{words.inactive}</Badge>;
  if (bot.breaker.state === 'open') return <Badge kind="bad">{words.breakerOpen}</Badge>;
  if (bot.breaker.state === 'half_open') return <Badge kind="warning">{words.breakerHalf}</Badge>;
  return <Badge kind="good">{words.active}</Badge>;
}
