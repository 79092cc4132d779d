/** One requirement, with the test that proves it or the reason why Pawl does something else. */
export type Requirement =
  /** What is required, the test's file below `test/` (or `src/`), and its name as the file has it. */
  | readonly [says: string, file: string, test: string]
  | readonly [says: string, differs: { readonly why: string }];

/** One source document, by its subject. */
export interface SourceDocument {
  readonly title: string;
  readonly about: string;
  readonly requirements: readonly Requirement[];
}
