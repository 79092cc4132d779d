/** A part of a file that was merged: the same on both sides, or different. */
export type Part =
  | { readonly kind: "same"; readonly lines: readonly string[]; readonly from: number }
  | {
      readonly kind: "conflict";
      readonly from: number;
      readonly landed: readonly string[];
      readonly own: readonly string[];
    };

/** Reads the markers that git writes; the common ancestor between them, where there is one, is left out. */
export function conflictParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let same: string[] = [];
  let side: { landed: string[]; own: string[]; from: number; at: "landed" | "base" | "own" } | undefined;
  const lines = text.split("\n");
  const flush = (until: number): void => {
    if (same.length > 0) parts.push({ kind: "same", lines: same, from: until - same.length });
    same = [];
  };
  lines.forEach((line, index) => {
    if (side === undefined) {
      if (line.startsWith("<<<<<<< ")) {
        flush(index + 1);
        side = { landed: [], own: [], from: index + 1, at: "landed" };
      } else same.push(line);
    } else if (line.startsWith("||||||| ") && side.at === "landed") side.at = "base";
    else if (line === "=======" && side.at !== "own") side.at = "own";
    else if (line.startsWith(">>>>>>> ") && side.at === "own") {
      parts.push({ kind: "conflict", from: side.from, landed: side.landed, own: side.own });
      side = undefined;
    } else if (side.at !== "base") side[side.at].push(line);
  });
  flush(lines.length + 1);
  return parts;
}
