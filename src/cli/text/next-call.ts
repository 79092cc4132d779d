import { Failure, isOpenItem, shellWord } from "../../domain/index.ts";
import type { StepDetail } from "../../views/index.ts";
import type { Context } from "../context.ts";
import { isInRun } from "../is-in-run.ts";
import type { Paint } from "./paint.ts";

export type OpenItems = StepDetail["items"];

/** A step of the caller's, as it named them. */
export interface NextCallAddress {
  readonly plan: string;
  readonly step: string;
  readonly worktree: string;
}

/** What was done stands, whatever becomes of this second look. Programs get no text, so nothing is looked up for them. */
async function look(
  { pawl, isForPrograms }: Context,
  { plan, step }: Pick<NextCallAddress, "plan" | "step">,
): Promise<Pick<StepDetail, "items" | "parentAnchor" | "status"> | undefined> {
  if (isForPrograms) return undefined;
  try {
    return await (await pawl()).step({ plan, step });
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export const openItemsOf = async (
  context: Context,
  address: Pick<NextCallAddress, "plan" | "step">,
): Promise<OpenItems> => ((await look(context, address))?.items ?? []).filter(isOpenItem);

/** What a worker does next with a step that it has begun. */
export async function nextFor(context: Context, address: NextCallAddress): Promise<(paint: Paint) => string> {
  const detail = await look(context, address);
  if (detail?.parentAnchor != null && detail.status === "completed")
    return nextFor(context, { ...address, step: detail.parentAnchor });
  const open = (detail?.items ?? []).filter(isOpenItem);
  const { plan, step, worktree } = address;
  // A run commits by itself, and refuses it to the agent that it has started.
  if (open.length === 0 && !context.isForPrograms && (await isInRun(context)))
    return () => "  next: end; the run that started you verifies and commits";
  // The work of a substep is committed with its step.
  if (open.length === 0 && detail !== undefined && detail.parentAnchor !== null)
    return (paint) =>
      `  next: pawl state complete ${paint.plain(`${shellWord(plan)} ${shellWord(step)} --worktree ${shellWord(worktree)}`)}`;
  return (paint) => nextCall(address, open, paint);
}

/** The call as it can be typed, because agents do what stands there and nothing else. */
export function nextCall({ plan, step, worktree }: NextCallAddress, open: OpenItems, paint: Paint): string {
  const [first] = open;
  const here = `--worktree ${shellWord(worktree)}`;
  if (first === undefined)
    return `  next: pawl commit ${paint.plain(`--plan ${shellWord(plan)} --step ${shellWord(step)} ${here}`)}`;
  const item = `${shellWord(plan)} ${shellWord(first.anchor)} ${here} --${first.kind} ${first.ordinal} completed`;
  return `  next: tick each item once it is true: pawl state update ${paint.plain(item)}`;
}

/** What a worker does whose step is done: it takes the next one, or continues with the step that this was a part of. */
export async function nextAfter(
  context: Context,
  address: NextCallAddress,
): Promise<(paint: Paint) => string> {
  const parent = (await look(context, address))?.parentAnchor ?? null;
  if (parent !== null) return nextFor(context, { ...address, step: parent });
  const { plan, worktree } = address;
  return (paint) =>
    `  next: pawl state claim ${paint.plain(`${shellWord(plan)} --worktree ${shellWord(worktree)}`)}`;
}
