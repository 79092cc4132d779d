import { createInterface } from "node:readline";
import { compose } from "../../../src/compose.ts";
import { Failure } from "../../../src/domain/errors.ts";
import { type Pawl, pawlOn } from "../../../src/api.ts";
import { programInput } from "../../support/program-input.ts";

/** A process that calls verbs one after another as ordered, and may open a supervised session for them. */

export interface SessionInput {
  readonly cwd: string;
}

export type SessionQuestion =
  | { readonly open: { readonly plan?: string; readonly worktree: string } }
  | { readonly verb: Exclude<keyof Pawl, "close" | "openSession">; readonly request: object };

export type SessionReply =
  | { readonly answer: unknown; readonly failure?: undefined; readonly atMs: number; readonly tookMs: number }
  | {
      readonly answer?: undefined;
      readonly failure: { readonly code: string; readonly message: string; readonly details: unknown };
      readonly atMs: number;
      readonly tookMs: number;
    };

const { cwd } = programInput() as SessionInput;
const pawl = pawlOn(await compose({ cwd, env: process.env }));

async function reply(question: SessionQuestion): Promise<unknown> {
  if ("open" in question) return { id: (await pawl.openSession(question.open)).id };
  return (pawl[question.verb] as (request: object) => Promise<unknown>)(question.request);
}

for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const timed = () => ({
    atMs: Number(process.hrtime.bigint() / 1_000n) / 1000,
    tookMs: performance.now() - start,
  });
  try {
    const answer = await reply(JSON.parse(line) as SessionQuestion);
    process.stdout.write(`${JSON.stringify({ answer, ...timed() })}\n`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, details } = error;
    process.stdout.write(`${JSON.stringify({ failure: { code, message, details }, ...timed() })}\n`);
  }
}
