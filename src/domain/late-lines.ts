/**
 * How many of the newest lines of the journal are read again by a reader that follows it: on a server lines may show up in
 * another order than they are numbered in.
 */
export const LATE_LINES = 200;
