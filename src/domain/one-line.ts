/** Whether a name can be written into a commit as it is: as two lines it would be two trailers there. */
export const isOneLine = (name: string): boolean =>
  name !== "" && name === name.trim() && !/[\p{Cc}\u2028\u2029]/u.test(name);
