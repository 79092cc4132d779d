export interface ImportedName {
  readonly name: string;
  readonly file: string;
  readonly isLazy: boolean;
}

/** The values that a file imports, each with the file it comes from, with no door in between. */
export function namesFromImports(file: string, text?: string): readonly ImportedName[];
