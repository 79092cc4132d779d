import { Failure, MAX_LEASE_SECONDS, STEP_STATUSES, type StepStatus } from "../domain/index.ts";
import { FORMAT_NAMES } from "../plans/formats/index.ts";
import type { ExpectedStep } from "../steps/index.ts";
import type { Who } from "../api.ts";
import type { Context } from "./context.ts";

export const PLAN = { name: "plan", about: "The plan file", required: true } as const;
export const STEP = { name: "step", about: "The step's anchor, with or without #", required: true } as const;

export const WORKTREE_OPTION = {
  worktree: {
    type: "text",
    value: "PATH",
    about: "The worktree the work happens in; PAWL_WORKTREE when left out",
  },
} as const;

/** What every verb of a worker takes. */
export const CALLER_OPTIONS = {
  ...WORKTREE_OPTION,
  claim: {
    type: "number",
    value: "N",
    about: "The number of the claim; must be the current one (PAWL_CLAIM when left out)",
  },
} as const;

export const REQUEST_OPTION = {
  "request-id": {
    type: "text",
    value: "ID",
    about: "Repeating a call under the same id gives the same answer, not a second effect",
  },
} as const;

/** For decisions that are made by looking: what has changed since is not what was decided about. */
export const SEEN_OPTION = {
  seen: {
    type: "text",
    value: "STATUS:CLAIM",
    about: "Act only if the step still has this status and this last claim number",
  },
} as const;

export function seenStep(text: string | undefined): ExpectedStep | undefined {
  if (text === undefined) return undefined;
  const [, status = "", claim = ""] = /^([a-z_]+):(\d{1,15})$/.exec(text) ?? [];
  if (!isStatus(status))
    throw new Failure("usage/wrong", "--seen is a status and a number, as pending:0.", { seen: text });
  return { status, claim: Number(claim) };
}

const isStatus = (text: string): text is StepStatus => (STEP_STATUSES as readonly string[]).includes(text);

/** Renewed by a heartbeat a third of it long, so it can be short. */
export const RUN_LEASE_OPTION = {
  "lease-duration": {
    type: "number",
    value: "SECONDS",
    about: "Seconds until the claim of a silent worker expires (300)",
  },
} as const;

export const LEASE_OPTION = {
  "lease-duration": {
    type: "number",
    value: "SECONDS",
    about: "Seconds until the claim expires without a heartbeat (7200)",
  },
} as const;

export const FORMAT_OPTION = {
  format: {
    type: "text",
    value: "FORMAT",
    about: "Read it as this format; detected from its content when left out",
    choices: FORMAT_NAMES,
  },
} as const;

interface CallerValues {
  readonly worktree?: string | undefined;
  readonly claim?: number | undefined;
}

/** Who calls, from the options or from the variables that a supervised session gives to its agents. */
export function whoCalls({ env }: Context, { worktree, claim }: CallerValues): Who {
  const path = worktree ?? (env["PAWL_WORKTREE"] || undefined);
  if (path === undefined) {
    throw new Failure(
      "usage/wrong",
      "--worktree is missing; it identifies the calling worker.",
      {},
      {
        hint: "Add --worktree PATH, or set PAWL_WORKTREE.",
      },
    );
  }
  if (path === "") throw new Failure("worktree/not-found", "--worktree is empty.", {});
  const session = env["PAWL_SESSION"] || undefined;
  return { worktree: path, claim: claim ?? claimFrom(env["PAWL_CLAIM"]), session };
}

function claimFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw new Failure(
      "usage/wrong",
      "PAWL_CLAIM is not a number.",
      { PAWL_CLAIM: text },
      { hint: "Unset it, or give the number that `claim` answered with." },
    );
  }
  return Number(text);
}

export function leaseSeconds(seconds: number | undefined): number | undefined {
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_LEASE_SECONDS)) return seconds;
  throw new Failure("usage/wrong", `--lease-duration must be from 1 to ${MAX_LEASE_SECONDS} seconds.`, {
    seconds,
  });
}
