import type { Schema } from '../rest/plain-schema.js';

/** Who calls: a bot or a person. */
export type CallerKind = 'bot' | 'user';

/** A call of the REST API. */
export interface Call {
  /** The operation's id in the OpenAPI document. */
  readonly operation: string;
  /** The field of the operation that each argument fills. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A tool: one call of the REST API with the arguments of its caller. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For a language model: what the tool does and when to use it. */
  readonly description: string;
  /** What a call changes: nothing, something new, or something that exists. */
  readonly effect: 'reads' | 'adds' | 'changes';
  /** Whether repeating a call has no further effect. Reads never have one. */
  readonly isIdempotent?: boolean;
  /** Arguments that a call must have. */
  readonly required: readonly string[];
  /** By kind of caller. A tool is not offered to a caller without a call. */
  readonly calls: Readonly<Partial<Record<CallerKind, Call>>>;
  /** An argument that selects another call when it is true. */
  readonly option?: ToolOption;
  /** Allowed values of arguments, where they are fewer than those of the operation. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** An argument with the seconds that the call waits. */
  readonly wait?: ToolWait;
  /** What the result shows, if it is not the whole answer. */
  readonly result?: ToolResult;
}

/** See {@link Tool.option}. */
interface ToolOption {
  readonly name: string;
  readonly description: string;
  /** Ids of the operations; the fields are those of {@link Tool.calls}. */
  readonly operations: Readonly<Partial<Record<CallerKind, string>>>;
}

/** See {@link Tool.wait}. */
export interface ToolWait {
  readonly argument: string;
  readonly maxSeconds: number;
  /** Longest wait of one request to the API. A longer one takes several. */
  readonly stepSeconds: number;
}

/** See {@link Tool.result}. */
interface ToolResult {
  /** Returns the schema of a result, from that of the answer. */
  schema(answer: Schema): Schema;
  /** Returns the result of an answer. */
  of(answer: Record<string, unknown>): Record<string, unknown>;
}
