import type { SecretBox, SecretColumn } from '@tieline/signing';

/**
 * Purpose that a command's signing secret is sealed for. A value copied to another command cannot
 * be opened.
 */
export function commandSecretPurpose(commandId: string): string {
  return `slash-command:${commandId}`;
}

/** Returns the secrets that sign callbacks of a command, in plain text. */
export function openCommandSecrets(
  box: SecretBox,
  command: { id: string; signingSecret: Buffer; previousSecret: Buffer | null },
): { secret: string; previousSecret?: string } {
  const open = (sealed: Buffer) => box.open(sealed, commandSecretPurpose(command.id));
  return {
    secret: open(command.signingSecret),
    ...(command.previousSecret && { previousSecret: open(command.previousSecret) }),
  };
}

/** Column with the signing secrets of slash commands. */
export const COMMAND_SECRET: SecretColumn = {
  table: 'slash_commands',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => commandSecretPurpose(id as string),
};
