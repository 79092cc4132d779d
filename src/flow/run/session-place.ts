import { Failure } from "../../domain/errors.ts";
import { BRANCH_PREFIX } from "../../domain/plan-branch.ts";
import { shellWord } from "../../domain/shell-word.ts";
import type { Ports } from "../../ports/index.ts";
import type { Interruption } from "../../ports/interruption.ts";
import type { Worktree } from "../../ports/repository.ts";
import type { ListedWorktree } from "../../ports/worktrees.ts";
import type { SessionRow } from "../../store/statements/rows.ts";
import { findPlace, isOnlyHere, placeOf, type WorkerPlace } from "./worker-place.ts";
import { type Trouble, troubleOf } from "./worktree-trouble.ts";

/** Where a session goes on, and what is wrong there. */
export interface SessionPlace extends WorkerPlace {
  readonly trouble?: Trouble | undefined;
}

export interface PlaceRequest {
  /** How the plan is called from here. */
  readonly operand: string | undefined;
  /** Goes on although something is wrong. */
  readonly anyway: boolean;
  /** Branches of the other workers, which are spoken for. */
  readonly others: ReadonlySet<string>;
  readonly interruption: Interruption | undefined;
}

/**
 * The worktree of a session, made again from its branch when it is gone.
 *
 * One that Pawl made, and in which somebody has begun something else, is left to them: whoever goes on anyway gets
 * another one, and what was half done stays where it is. A person's own worktree is taken as it is.
 */
export async function sessionPlace(
  ports: Ports,
  row: SessionRow,
  { operand, anyway, others, interruption }: PlaceRequest,
): Promise<SessionPlace> {
  const { branch, base, worktree: path } = row;
  const listed = (await (await ports.worktrees()).list()).find((one) => one.path === path);
  const trouble = listed && branch !== null ? troubleOf(listed, branch) : undefined;
  const isOurs = branch?.startsWith(BRANCH_PREFIX) && base?.startsWith(BRANCH_PREFIX);
  if (!isOurs || operand === undefined) return asItIs(ports, path, listed, trouble);
  const elsewhere = async (says: string): Promise<SessionPlace> => {
    const place = await findPlace(ports, operand, { branch: base!, except: others, interruption });
    return { ...place, warnings: [...place.warnings, `${path} stays as it is: ${says}`] };
  };
  if (trouble) return anyway ? elsewhere(trouble.says) : asItIs(ports, path, listed, trouble);
  try {
    return await placeOf(ports, operand, base!, { branch: branch!, interruption });
  } catch (error) {
    if (!isOnlyHere(error)) throw error;
    return elsewhere(error.message);
  }
}

const asItIs = (
  ports: Ports,
  path: string,
  listed: ListedWorktree | undefined,
  trouble: Trouble | undefined,
): SessionPlace => ({ worktree: worktreeAt(ports, path), branch: listed?.branch, warnings: [], trouble });

function worktreeAt(ports: Ports, path: string): Worktree {
  try {
    return ports.repository.worktree(path);
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "worktree/not-found") throw error;
    throw new Failure(error.problem, error.message, error.details, {
      hint: `Where only its .git file is gone, \`git worktree repair ${shellWord(path)}\` brings it back. What was not committed is in its snapshot: \`pawl sessions show\` names it.`,
    });
  }
}
