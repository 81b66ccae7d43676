import { int, settings } from '@tieline/platform/config';

/** Slash commands. */
export class SlashSettings extends settings('Slash commands', {
  triggerTtlSeconds: int('SLASH_TRIGGER_TTL_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    text: 'lifetime of the `trigger_id` of a slash command',
  }),
}) {}
