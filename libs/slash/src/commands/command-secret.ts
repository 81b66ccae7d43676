import { registerSecretColumn } from '@tieline/platform/signing';

/** What a command's signing secret is sealed for: a value copied to another command does not open. */
export function commandSecretPurpose(commandId: string): string {
  return `slash-command:${commandId}`;
}

registerSecretColumn({
  table: 'slash_commands',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'signing_secret',
  aad: ({ id }) => commandSecretPurpose(id as string),
});
