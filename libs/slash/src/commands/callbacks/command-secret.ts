import type { SecretBox, SecretColumn } from '@tieline/signing';

/**
 * What a command's signing secret is sealed for: a value copied to another command does not open.
 */
export function commandSecretPurpose(commandId: string): string {
  return `slash-command:${commandId}`;
}

/** What callbacks of a command are signed with, in plain text. */
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

/** Where the signing secrets of slash commands are stored. */
export const COMMAND_SECRET: SecretColumn = {
  table: 'slash_commands',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => commandSecretPurpose(id as string),
};
