/** The files that a file imports, statically, for types or lazily, with no door in between. */
export function filesBehindImports(file: string): ReadonlySet<string | undefined>;
