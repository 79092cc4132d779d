/**
 * One step of the schema, forward only. A released one is never edited: databases exist that have run it.
 *
 * The texts differ between engines where their dialects do (strict tables, triggers, identity columns); what they
 * build is the same, and the golden schemas in the tests show it.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}
