import { TRAILER_FAMILIES } from "../../../domain/index.ts";
import type { CommitNote } from "../../ports/index.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import { readTrailers } from "../trailers/trailer-block.ts";

/** What is printed of each commit; the message last, because it may be of any form. */
export const FORMAT = "--format=tformat:%H%n%P%n%T%n%B";

const readSteps = stepTrailerReader(TRAILER_FAMILIES);

export interface ReadNote extends CommitNote {
  readonly tree: string;
  readonly usesTug: boolean;
}

export function readNote(bytes: Buffer): ReadNote {
  const [commit = "", parents = "", tree = "", ...lines] = bytes.toString("utf8").split("\n");
  const message = lines.join("\n");
  const said = readSteps(message);
  return {
    commit,
    parents: parents.split(" ").filter((name) => name !== ""),
    tree,
    plans: said?.plans ?? [],
    steps: said?.steps ?? [],
    claims: said?.claims ?? [],
    contents: said?.contents ?? [],
    signatures: said?.signatures ?? [],
    usesTug: said !== undefined && readTrailers(message).some(({ key }) => /^tug-step$/i.test(key)),
  };
}
