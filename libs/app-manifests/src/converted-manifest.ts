/** An object as it came in JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** A manifest in Tieline's format, not yet validated. */
export interface ConvertedManifest {
  manifest: Json;
  /** What the original has and Tieline lacks, one sentence each. */
  warnings: string[];
}
