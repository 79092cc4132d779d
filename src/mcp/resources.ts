import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { Failure } from "../domain/index.ts";
import type { PlanView, StepView } from "../steps/index.ts";
import { foreign, oneLine } from "./foreign-text.ts";
import type { ClientSession } from "./client-session.ts";

const MOST_STEPS = 200;
const RESOURCE_NOT_FOUND = -32002;

export const planUri = (plan: string): string => `pawl://plan/${encodeURIComponent(plan)}`;
export const stepUri = (plan: string, anchor: string): string =>
  `${planUri(plan)}/step/${encodeURIComponent(anchor)}`;

export const STEP_TEMPLATE = {
  uriTemplate: "pawl://plan/{plan}/step/{step}",
  name: "step",
  description: "One step of a plan with its checklist; plan is percent-encoded",
  mimeType: "application/json",
} as const;

/** Plans, and the steps of those that are not done. */
export async function listResources({ pawl }: ClientSession, note: (plans: readonly PlanView[]) => void) {
  const plans: readonly PlanView[] = await pawl.showAll().catch((error: unknown) => {
    if (error instanceof Failure && error.problem === "plan/not-initialised") return [];
    throw error;
  });
  note(plans);
  const open = plans.filter(({ status }) => status === "active");
  const entry = (uri: string, name: string, description: string) => ({
    uri,
    name: oneLine(name),
    description: oneLine(description),
    mimeType: "application/json",
  });
  return [
    ...plans.map(({ planPath, phaseTitle }) => entry(planUri(planPath), planPath, phaseTitle ?? "A plan")),
    ...open
      .flatMap(({ planPath, steps }) =>
        steps.map((step) => entry(stepUri(planPath, step.anchor), `${planPath} ${step.anchor}`, step.title)),
      )
      .slice(0, MOST_STEPS),
  ];
}

const URI = /^pawl:\/\/plan\/([^/]+)(?:\/step\/([^/]+))?$/;

export async function readResource({ pawl }: ClientSession, uri: string) {
  const [, plan, anchor] = URI.exec(uri) ?? [];
  if (plan === undefined) throw notFound(uri);
  try {
    const view = await pawl.show({ plan: decode(plan, uri) });
    const { planPath, status, totals, steps } = view;
    if (anchor === undefined)
      return json(
        uri,
        foreign(`plan ${planPath}`, { plan: planPath, status, totals, steps: steps.map(brief) }),
      );
    const wanted = decode(anchor, uri);
    const all = steps.flatMap((step) => [step, ...step.substeps]);
    const step = all.find((one) => one.anchor === wanted);
    if (!step) throw notFound(uri);
    const items = step.items.map(({ kind, ordinal, text, status: is }) => ({
      kind,
      ordinal,
      text: oneLine(text),
      status: is,
    }));
    return json(uri, foreign(`plan ${planPath}#${step.anchor}`, { ...brief(step), items }));
  } catch (error) {
    if (error instanceof Failure) throw notFound(uri, error.message);
    throw error;
  }
}

const brief = ({ anchor, title, status, claimedBy, blockedBy, commitHash, blockNote }: StepView) => ({
  step: anchor,
  title: oneLine(title),
  status,
  held_by: claimedBy,
  blocked_by: blockedBy,
  commit: commitHash,
  note: blockNote === null ? null : oneLine(blockNote),
});

const json = (uri: string, value: unknown) => ({
  contents: [{ uri, mimeType: "application/json", text: JSON.stringify(value) }],
});

const notFound = (uri: string, why = "There is no such resource."): McpError =>
  new McpError(RESOURCE_NOT_FOUND, oneLine(why), { uri });

function decode(part: string, uri: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound(uri);
  }
}
