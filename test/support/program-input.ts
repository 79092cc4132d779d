/** What a child program was started with; each knows what it asked for. */
export const programInput = (): unknown => JSON.parse(process.argv[2] ?? "{}");
