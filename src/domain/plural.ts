/** A number with its noun: `1 dependency`, `2 dependencies`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** The first of some names, and how many more there are. */
export const few = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
