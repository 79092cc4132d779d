/** Codes of characters, where texts are walked without taking them apart. */
export const ZERO = 0x30;
const NINE = 0x39;

export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
