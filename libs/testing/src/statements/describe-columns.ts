import type pg from 'pg';

/**
 * A column of a statement's result, with Postgres's short type name: `int8`, `timestamptz`,
 * `uuid[]`.
 */
export interface DescribedColumn {
  name: string;
  type: string;
}

interface Field {
  name: string;
  dataTypeID: number;
}

/** The driver's methods of the extended protocol, which its type declarations omit. */
interface Connection {
  parse(statement: { text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
}

/**
 * Asks Postgres to parse a statement and describe its result (Parse, Describe) without running it.
 * @throws the error of Postgres if the statement does not fit the schema
 */
export async function describeColumns(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await new Promise<Field[]>((resolve, reject) => {
    client.query(new Description(text, resolve, reject) as unknown as pg.Submittable);
  });
  const types = await client.query<{ oid: number; name: string }>(
    'SELECT oid::int8, typname AS name FROM pg_type WHERE oid = ANY ($1::oid[])',
    [fields.map((field) => field.dataTypeID)],
  );
  const names = new Map(types.rows.map(({ oid, name }) => [oid, name.replace(/^_(.*)$/, '$1[]')]));
  return fields.map(({ name, dataTypeID }) => ({ name, type: names.get(dataTypeID) ?? String(dataTypeID) }));
}

/** Implements the methods that the driver calls for a custom query. */
class Description {
  private fields: Field[] = [];
  private error: Error | undefined;

  constructor(
    private readonly text: string,
    private readonly resolve: (fields: Field[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.parse({ text: this.text });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.error = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.error === undefined) this.resolve(this.fields);
  }
}
