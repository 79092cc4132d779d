import { type ErrorName, Failure } from "../domain/index.ts";

type Said = Readonly<Record<string, unknown>>;

interface ToldIssue {
  readonly name: ErrorName;
  readonly message: string;
  readonly hint?: string;
}

/** The data in an envelope that another process of ours printed; its failure is ours as well. */
export function answerData({ data, issues }: Said): Said {
  const [issue] = (issues ?? []) as readonly ToldIssue[];
  // Issues beside an answer are part of the answer; without one they are why there is none.
  if (issue !== undefined && Object.keys((data as Said | undefined) ?? {}).length === 0)
    throw new Failure(issue.name, issue.message, {}, issue.hint === undefined ? {} : { hint: issue.hint });
  return (data ?? {}) as Said;
}
