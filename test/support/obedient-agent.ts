import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpClient } from "./mcp-client.ts";
import type { Data } from "./workshop.ts";

/** How an obedient agent's work ended. */
export interface ObedientEnd {
  readonly end: "done" | "person" | "nowhere";
  readonly told: string;
  readonly calls: number;
  /** The steps that it did something for. */
  readonly worked: readonly string[];
  /** Everything it received, with the tool that it had called. */
  readonly heard: readonly string[];
}

export const endOf = (
  end: ObedientEnd["end"],
  heard: readonly string[],
  worked: readonly string[],
): ObedientEnd => ({ end, told: heard.at(-1) ?? "", calls: heard.length, worked, heard });

const MOST_CALLS = 60;

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- looks into every shape
}

/** Words by which a text hands the matter to a person. */
export const FOR_PEOPLE = /\bperson\b|for people|in charge|report it|whoever supervises/i;

/**
 * An agent without a mind of its own: it does the work of whatever step it gets, and then exactly what the last text
 * gave it. The first tool that a text names is the next that it calls. It ends when everything is done, or when it is
 * sent to a person. A text that says neither, or the same again and again, leads nowhere.
 */
export async function obey(
  { client }: McpClient,
  folder: string,
  plan: string | undefined,
): Promise<ObedientEnd> {
  const heard: string[] = [];
  const worked: string[] = [];
  const ended = (end: ObedientEnd["end"]) => endOf(end, heard, worked);
  for (let next = "pawl_claim"; heard.length < MOST_CALLS;) {
    const asked = { name: next, arguments: argumentsOf(next, plan) };
    const { isError, content, structuredContent: data } = (await client.callTool(asked)) as unknown as Result;
    const { text } = content[0]!;
    const isRepeated = heard.at(-1) === `${next}: ${text}` && heard.at(-2) === heard.at(-1);
    heard.push(`${next}: ${text}`);
    if (data?.["all_completed"] === true) return ended("done");
    if (isRepeated) return ended(FOR_PEOPLE.test(text) ? "person" : "nowhere");
    if (data?.["claimed"] === true) {
      const { step } = data as { step: string };
      writeFileSync(join(folder, `work-${step}.txt`), `work on ${step}\n`, { flag: "a" });
      worked.push(step);
      next = "pawl_update";
    } else if (next === "pawl_update" && (!isError || text.startsWith("E061"))) next = "pawl_submit";
    else {
      if (FOR_PEOPLE.test(text)) return ended("person");
      const named = /pawl_[a-z_]+/.exec(text)?.[0];
      if (named === undefined) return ended("nowhere");
      next = named;
    }
  }
  return ended("nowhere");
}

function argumentsOf(tool: string, plan: string | undefined): Data {
  if (tool === "pawl_update")
    return { items: ["task", "test", "checkpoint"].map((kind) => ({ kind, status: "completed" })) };
  if (tool === "pawl_plan_check") return { plan: plan ?? "plan.md" };
  return tool === "pawl_claim" && plan !== undefined ? { plan } : {};
}
