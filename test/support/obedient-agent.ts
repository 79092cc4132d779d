import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpClient } from "./mcp-client.ts";

/** How an obedient agent's work ended. */
export interface ObedientEnd {
  readonly end: "done" | "person";
  readonly told: string;
  readonly calls: number;
}

const MOST_CALLS = 60;

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- looks into every shape
}

/** Words by which a text hands the matter to a person. */
const FOR_PEOPLE = /\bperson\b|for people|in charge|report it|whoever supervises/i;

/**
 * An agent without a mind of its own: it does the work of whatever step it gets, and then exactly what the last text
 * told it. The first tool that a text names is the next that it calls. It ends when everything is done, when it is
 * told to turn to a person, or when it is told the same thing again and again, which is for a person, too.
 */
export async function obey(
  { client }: McpClient,
  folder: string,
  plan: string | undefined,
): Promise<ObedientEnd> {
  let next = "pawl_claim";
  let last = "";
  let repeats = 0;
  const ask = async (name: string, args: object): Promise<Result> =>
    (await client.callTool({ name, arguments: { ...args } })) as unknown as Result;
  for (let calls = 1; calls <= MOST_CALLS; calls += 1) {
    const result = await ask(next, argumentsOf(next, plan));
    const text = result.content[0]!.text;
    const data = result.structuredContent;
    if (data?.["all_completed"] === true) return { end: "done", told: text, calls };
    repeats = text === last ? repeats + 1 : 0;
    last = text;
    if (repeats >= 2) return { end: "person", told: text, calls };
    if (data?.["claimed"] === true) {
      const { step } = data as { step: string };
      writeFileSync(join(folder, `work-${step}.txt`), `work on ${step}\n`, { flag: "a" });
      next = "pawl_update";
    } else if (data?.["claimed"] === false) return { end: "person", told: text, calls };
    else if (next === "pawl_update" && (!result.isError || /E061/.test(text))) next = "pawl_submit";
    else {
      const named = /pawl_[a-z_]+/.exec(text)?.[0];
      if (FOR_PEOPLE.test(text) || named === undefined) return { end: "person", told: text, calls };
      next = named;
    }
  }
  return { end: "person", told: `no end after ${MOST_CALLS} calls`, calls: MOST_CALLS };
}

function argumentsOf(tool: string, plan: string | undefined): object {
  if (tool === "pawl_update")
    return { items: ["task", "test", "checkpoint"].map((kind) => ({ kind, status: "completed" })) };
  if (tool === "pawl_plan_check") return { plan: plan ?? "plan.md" };
  return tool === "pawl_claim" && plan !== undefined ? { plan } : {};
}
