import { flatten, signedText } from "../domain/index.ts";
import type { Ports, Sql, Trailer } from "../platform/ports/index.ts";
import { stepSnapshot } from "../plans/index.ts";
import type { SnapshotRow, StepRow } from "../platform/index.ts";
import { loadReadPlan } from "../plans/formats/index.ts";

/**
 * What a commit for a step is called when the caller does not say: the plan's own words for it, else the step's title.
 *
 * The database is asked now and the plan read later: reading it takes longer than git takes to stage the files.
 */
export async function stepMessage(
  sql: Sql,
  { plan_path, anchor, title }: StepRow,
): Promise<() => Promise<string>> {
  const saved = await stepSnapshot(sql, { plan: plan_path, anchor });
  return async () =>
    [saved && (await commitLine(saved, anchor)), title].find(hasText) ?? `Complete ${anchor}`;
}

/** Blanks and characters that cannot be seen are no message. */
export const hasText = (text: string | undefined): text is string =>
  text !== undefined && /[^\s\p{C}]/u.test(text);

/** Where the word is nowhere there is no such line, and the readers of plans need not be loaded to find none. */
async function commitLine({ content, format }: SnapshotRow, anchor: string): Promise<string | undefined> {
  if (!/commit/i.test(content)) return undefined;
  const { parseKept } = await loadReadPlan();
  const steps = flatten(parseKept(content, format));
  return steps.find(({ step }) => step.anchor === anchor)?.step.commit;
}

export interface TrailerSubject {
  readonly plan: string;
  readonly step: string;
  readonly claim: number;
  readonly content: string | null;
  readonly session: string | null | undefined;
  readonly prefix: string;
}

/** The trailers of a step's commit. The last one is what tells it from a commit that only looks like it. */
export function stepTrailers({ signer }: Ports, subject: TrailerSubject): readonly Trailer[] {
  const { plan, step, claim, content, session, prefix } = subject;
  return [
    { key: `${prefix}-Plan`, value: plan },
    { key: `${prefix}-Step`, value: step },
    // The id may come from a variable that anyone can set.
    ...(session && /^[\w.:-]{1,100}$/.test(session) ? [{ key: "Pawl-Session", value: session }] : []),
    { key: "Pawl-Claim", value: String(claim) },
    ...(content === null ? [] : [{ key: "Pawl-Content", value: content }]),
    { key: "Pawl-Signature", value: signer.sign(signedText({ plan, step, claim, content })) },
  ];
}
