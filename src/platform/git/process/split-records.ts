/** One record of a NUL-separated stream; `isCut` when it was longer than allowed and only its beginning is here. */
export interface StreamRecord {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Takes a stream in chunks and hands out its records, without ever holding more than `maxBytes` of one. */
export function splitRecords(
  maxBytes: number,
  onRecord: (record: StreamRecord) => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isCut = false;
  const hold = (piece: Buffer): void => {
    const kept = piece.subarray(0, maxBytes - heldBytes);
    isCut ||= kept.length < piece.length;
    heldBytes += kept.length;
    if (kept.length > 0) held.push(kept);
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      hold(chunk.subarray(start, end));
      onRecord({ bytes: Buffer.concat(held), isCut });
      [held, heldBytes, isCut, start] = [[], 0, false, end + 1];
    }
    hold(chunk.subarray(start));
  };
}
