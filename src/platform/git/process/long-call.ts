/** For calls that write a whole tree or run hooks: as long as somebody would wait who still hopes. */
export const LONG_CALL_MS = 30 * 60_000;
