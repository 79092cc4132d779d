/** For calls that write a whole tree or run hooks: as long as a patient person would wait. */
export const LONG_CALL_MS = 30 * 60_000;
