/** Lines from `start` up to, not including, `end`; counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}
