/** What a child program was started with. */
export const programInput = <T>(): T => JSON.parse(process.argv[2] ?? "{}") as T;
