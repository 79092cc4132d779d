import { compose } from "../../../src/compose.ts";
import { Failure } from "../../../src/domain/errors.ts";
import { type Pawl, pawlOn } from "../../../src/api.ts";
import { crashAt } from "../../support/crash-at.ts";
import { watchEffects } from "../../support/lowest-ports.ts";
import { programInput } from "../../support/program-input.ts";

/** Calls one verb in a process that kills itself at a given moment. */

export interface VerbInput {
  readonly cwd: string;
  /** The moment to die at; 0 to live. */
  readonly at: number;
  readonly trace: string;
  readonly call: VerbCall;
  readonly everyStatement?: boolean;
  /** Whether the names of all moments are part of the answer. */
  readonly names?: boolean;
}

export type VerbCall =
  | { readonly verb: Exclude<keyof Pawl, "close" | "openSession">; readonly request: object }
  /** Opens a session, claims in it, and ends it. */
  | {
      readonly verb: "session";
      readonly request: { readonly plan: string; readonly worktree: string };
    };

export type VerbOutput =
  | { readonly moments: number; readonly names?: readonly string[]; readonly answer: unknown }
  | {
      readonly moments: number;
      readonly failure: {
        readonly code: string;
        readonly problem: string;
        readonly message: string;
        readonly details: unknown;
      };
    };

const input = programInput() as VerbInput;
const crash = crashAt(input.at, input.trace);
watchEffects({ ...crash, everyStatement: input.everyStatement ?? false });

async function call(pawl: Pawl, { verb, request }: VerbCall): Promise<unknown> {
  if (verb !== "session") return (pawl[verb] as (request: object) => Promise<unknown>)(request);
  const { plan, worktree } = request as { plan: string; worktree: string };
  const session = await pawl.openSession({ plan, worktree });
  const claimed = await pawl.claim({ plan, worktree, session: session.id });
  await pawl.release({
    plan,
    step: claimed.anchor!,
    worktree,
    claim: claimed.claim!,
    session: session.id,
  });
  await session.end("completed");
  return { anchor: claimed.anchor };
}

async function main(): Promise<VerbOutput> {
  const pawl = pawlOn(await compose({ cwd: input.cwd, env: process.env }));
  try {
    const answer = await call(pawl, input.call);
    return { moments: crash.count(), ...(input.names ? { names: crash.names() } : {}), answer };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, problem, message, details } = error;
    return { moments: crash.count(), failure: { code, problem, message, details } };
  }
}

const output = JSON.stringify(await main());
// As the command line does: leaves at once, without closing the database.
process.stdout.write(output, () => process.exit(0));
