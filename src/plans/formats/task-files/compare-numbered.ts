import { isDigit, ZERO } from "../is-digit.ts";

/**
 * Orders names as people count: a number in a name is a number, however many digits it has.
 *
 * Without regard to case and leading zeros, so names that differ in nothing else are equal here. It walks the two texts
 * and makes none: a folder of a thousand files asks ten thousand times.
 */
export function compareNumbered(a: string, b: string): number {
  let [inA, inB] = [0, 0];
  while (inA < a.length && inB < b.length) {
    const [codeA, codeB] = [lower(a.charCodeAt(inA)), lower(b.charCodeAt(inB))];
    if (isDigit(codeA) && isDigit(codeB)) {
      const [startA, startB] = [pastZeros(a, inA), pastZeros(b, inB)];
      inA = pastDigits(a, startA);
      inB = pastDigits(b, startB);
      // Of two numbers the longer is the larger; of one length they compare like text.
      if (inA - startA !== inB - startB) return inA - startA - (inB - startB);
      for (let at = 0; at < inA - startA; at += 1) {
        const difference = a.charCodeAt(startA + at) - b.charCodeAt(startB + at);
        if (difference !== 0) return difference;
      }
    } else if (codeA === codeB) {
      inA += 1;
      inB += 1;
    } else return codeA - codeB;
  }
  return a.length - inA - (b.length - inB);
}

const lower = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

function pastZeros(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === ZERO) at += 1;
  return at;
}

function pastDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}
