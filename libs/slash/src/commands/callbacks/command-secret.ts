import { BOT_WEBHOOK_SECRET } from '@tieline/bots';
import { RowSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';

/** The signing secrets of slash commands. */
export const COMMAND_SECRET = new RowSecret('slash_commands', 'signing_secret', 'slash-command');

/** Returns the secrets that sign callbacks of a command, in plain text. */
export function openCommandSecrets(
  box: SecretBox,
  command: { id: string; signingSecret: Buffer; previousSecret: Buffer | null },
): { secret: string; previousSecret?: string } {
  const open = (sealed: Buffer) => box.open(sealed, COMMAND_SECRET.aad({ id: command.id }));
  return {
    secret: open(command.signingSecret),
    ...(command.previousSecret && { previousSecret: open(command.previousSecret) }),
  };
}

/** Returns the secrets that sign all requests to a Slack app: those of its bot, in plain text. */
export function openBotSecrets(
  box: SecretBox,
  {
    botId,
    botSecret,
    previousBotSecret,
  }: { botId: string; botSecret: Buffer; previousBotSecret: Buffer | null },
): { secret: string; previousSecret?: string } {
  const open = (sealed: Buffer) => box.open(sealed, BOT_WEBHOOK_SECRET.aad({ id: botId }));
  return {
    secret: open(botSecret),
    ...(previousBotSecret && { previousSecret: open(previousBotSecret) }),
  };
}
