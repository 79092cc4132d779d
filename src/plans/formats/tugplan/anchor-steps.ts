import { quote, type Report } from "../diagnostics.ts";
import type { OutlinedStep } from "./outline.ts";

/** What each step is called: its own anchor, else one made of its number. */
export function anchorSteps(steps: readonly OutlinedStep[], report: Report): readonly string[] {
  const anchors = steps.map((step) => anchorOf(step, report));
  reportDefaults(steps, report);
  reportDuplicates(steps, anchors, report);
  return anchors;
}

function anchorOf(step: OutlinedStep, report: Report): string {
  const { number, heading, title } = step;
  if (number === undefined) {
    report("plan/unnumbered-step", placeOf(step), () => `The step ${quote(title)} has no number.`);
  }
  const anchor = heading.anchor ?? defaultAnchor(step);
  const fault = faultOf(anchor);
  if (fault !== undefined) {
    report("plan/bad-anchor", placeOf(step), () => `The anchor ${quote(anchor)} ${fault}.`);
    return anchor.replace(UNFIT, "-").slice(0, MAX_ANCHOR) || `line-${step.index + 1}`;
  }
  if (number !== undefined && misleads(anchor, step)) {
    report("plan/misleading-anchor", placeOf(step), () => `Step ${number} has the anchor ${quote(anchor)}.`);
  }
  return anchor;
}

const placeOf = ({ index, heading }: OutlinedStep) => ({ line: index + 1, column: heading.at + 1 });

const MAX_ANCHOR = 200;
// An anchor is typed on a command line and stands in refs and hints: letters and digits of any script, dash, dot, underscore.
const UNFIT = /[^\p{L}\p{M}\p{N}._-]/gu;

function faultOf(anchor: string): string | undefined {
  if (anchor === "") return "is empty";
  if (anchor.length > MAX_ANCHOR) return `has more than ${MAX_ANCHOR} characters`;
  return anchor.search(UNFIT) === -1
    ? undefined
    : "holds more than letters, digits, dashes, dots and underscores";
}

function defaultAnchor({ number = "", summary }: OutlinedStep): string {
  const name = `step-${number.replaceAll(".", "-")}`;
  return summary ? `${name}-summary` : name;
}

/** `step-4` on step 5 misleads; `step-cycle` does not. */
const misleads = (anchor: string, step: OutlinedStep): boolean =>
  /^step-\d[\d-]*[a-z]?$/.test(anchor) && anchor !== defaultAnchor(step).toLowerCase();

function reportDefaults(steps: readonly OutlinedStep[], report: Report): void {
  const without = steps.filter(({ heading }) => heading.anchor === undefined);
  const [first] = without;
  if (!first) return;
  report("plan/default-anchor", placeOf(first), () => {
    const made = quote(defaultAnchor(first));
    return without.length === 1
      ? `One step has no anchor of its own; its number makes it ${made}.`
      : `${without.length} steps have no anchor of their own; their numbers make one, ${made} here.`;
  });
}

function reportDuplicates(steps: readonly OutlinedStep[], anchors: readonly string[], report: Report): void {
  const byAnchor = new Map<string, number>();
  const byNumber = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    const anchor = anchors[index]!;
    const sameAnchor = byAnchor.get(anchor);
    if (sameAnchor === undefined) byAnchor.set(anchor, step.index + 1);
    else {
      report(
        "plan/duplicate-anchor",
        placeOf(step),
        () => `The anchor ${quote(anchor)} is taken by the step in line ${sameAnchor}.`,
      );
    }
    if (step.number === undefined || step.summary) continue;
    const sameNumber = byNumber.get(step.number);
    if (sameNumber === undefined) byNumber.set(step.number, step.index + 1);
    else if (sameAnchor === undefined) {
      report(
        "plan/duplicate-number",
        placeOf(step),
        () => `The number ${step.number} is taken by the step in line ${sameNumber}.`,
      );
    }
  }
}
