/** A number with its noun: `1 dependency`, `2 dependencies`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
