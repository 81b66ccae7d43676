import type pg from 'pg';

/** A statement as Postgres describes it, with short type names: `int8`, `timestamptz`, `uuid[]`. */
export interface StatementDescription {
  /** Types of `$1`, `$2`, … */
  params: string[];
  columns: DescribedColumn[];
}

/** A column of a statement's result. */
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
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
}

interface Described {
  params: number[];
  fields: Field[];
}

/**
 * Asks Postgres to parse a statement and describe its parameters and its result (Parse, Describe)
 * without running it.
 * @throws the error of Postgres if the statement does not fit the schema
 */
export async function describeStatement(client: pg.Client, text: string): Promise<StatementDescription> {
  const { params, fields } = await new Promise<Described>((resolve, reject) => {
    client.query(new Description(text, resolve, reject) as unknown as pg.Submittable);
  });
  const types = await client.query<{ oid: number; name: string }>(
    'SELECT oid::int8, typname AS name FROM pg_type WHERE oid = ANY ($1::oid[])',
    [[...params, ...fields.map((field) => field.dataTypeID)]],
  );
  const names = new Map(types.rows.map(({ oid, name }) => [oid, name.replace(/^_(.*)$/, '$1[]')]));
  const nameOf = (oid: number): string => names.get(oid) ?? String(oid);
  return {
    params: params.map(nameOf),
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: nameOf(dataTypeID) })),
  };
}

/** Implements the methods that the driver calls for a custom query. */
class Description {
  private readonly described: Described = { params: [], fields: [] };
  private error: Error | undefined;

  constructor(
    private readonly text: string,
    private readonly resolve: (described: Described) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }) => {
      this.described.params = dataTypeIDs;
    });
    connection.parse({ text: this.text });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.described.fields = fields;
  }

  handleError(error: Error): void {
    this.error = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.error === undefined) this.resolve(this.described);
  }
}
