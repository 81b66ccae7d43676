import { openLive } from './rotation/live-secrets.js';
import type { LiveSecrets } from './rotation/live-secrets.js';
import type { SecretBox } from './secret-box.js';

/**
 * A `bytea` column with values sealed by a SecretBox. The lib that seals them exports it, and the
 * command `reencrypt` lists it: values of an unlisted column are lost when an old key is retired.
 */
export interface SecretColumn {
  /** Table name, with its schema if it is not on the search path: `schema.table`. */
  readonly table: string;
  /** Columns of the primary key, in its order. */
  readonly keyColumns: readonly [string, ...string[]];
  readonly secretColumn: string;
  /**
   * The purpose that values of this column were sealed for. Key columns arrive as text, as Postgres
   * prints them.
   */
  readonly aad: (key: Readonly<Record<string, string>>) => string;
}

/** Returns the column of the previous secret during a rotation. */
export function previousOf(column: SecretColumn): SecretColumn {
  return { ...column, secretColumn: 'previous_secret' };
}

/** The secrets of a row as stored. */
export interface SealedSecrets {
  id: string;
  signingSecret: Buffer;
  /** Null when no previous secret is valid. */
  previousSecret: Buffer | null;
}

/** A column of secrets in a table whose key is `space_id, id`. */
export class RowSecret implements SecretColumn {
  readonly keyColumns = ['space_id', 'id'] as const;

  /** @param kind values are sealed for `kind:id`: one copied to another row does not open */
  constructor(
    readonly table: string,
    readonly secretColumn: string,
    private readonly kind: string,
  ) {}

  readonly aad = ({ id = '' }: Readonly<Record<string, string>>): string => `${this.kind}:${id}`;

  /** Encrypts the secret of a row. */
  seal(box: SecretBox, id: string, secret: string): Buffer {
    return box.seal(secret, this.aad({ id }));
  }

  /** Decrypts the secret of a row, see {@link SecretBox.tryOpen}. */
  tryOpen(
    box: SecretBox,
    id: string,
    sealed: Uint8Array,
    unreadable: (reason: string) => void,
  ): string | undefined {
    return box.tryOpen(sealed, this.aad({ id }), unreadable);
  }

  /** Decrypts the valid secrets of a row. Returns undefined if the current one cannot be opened. */
  openLive(
    box: SecretBox,
    { id, signingSecret, previousSecret }: SealedSecrets,
    unreadable: (reason: string) => void,
  ): LiveSecrets | undefined {
    return openLive(signingSecret, previousSecret, (sealed) => this.tryOpen(box, id, sealed, unreadable));
  }
}
