import type { Diagnostic, Severity } from "../../domain/index.ts";
import type { SourcePosition } from "../../platform/json/index.ts";

/**
 * Everything that can be said about a plan file, in one table.
 *
 * An error means that the plan cannot be carried out as it stands. A warning means that it can, but perhaps not as its
 * author meant it. An info tells what was accepted or left out, so that nothing is swallowed. Codes are never reused.
 */
// oxfmt-ignore
export const DIAGNOSTICS = {
  "plan/no-steps":              { code: "P001", severity: "error",   hint: "Write the work as boxes (`- [ ] words`) or under headings (`### Task 1: Title`), or a person has an agent do that: `pawl plan new NAME --from FILE`." },
  "plan/duplicate-anchor":      { code: "P002", severity: "error",   hint: "Give every step an anchor of its own: `{#another-anchor}` at the end of its heading." },
  "plan/bad-anchor":            { code: "P003", severity: "error",   hint: "Use letters, digits and dashes, at most 200 characters." },
  "plan/unknown-dependency":    { code: "P004", severity: "error",   hint: "Name the anchor of a step of this plan, or take the reference out." },
  "plan/self-dependency":       { code: "P005", severity: "error",   hint: "Take the reference out, or name the step that was meant." },
  "plan/cycle":                 { code: "P006", severity: "error",   hint: "Take out one of these dependencies. A step also waits for its substeps, and a substep for what its step waits for." },
  "plan/line-too-long":         { code: "P007", severity: "error",   hint: "Break the line; Pawl skipped it." },
  "plan/too-many-steps":        { code: "P008", severity: "error",   hint: "Split the plan into smaller ones." },
  "plan/too-many-dependencies": { code: "P009", severity: "error",   hint: "Name only the steps that are needed directly; what those need is waited for anyway." },
  "plan/steps-hidden":          { code: "P010", severity: "error",   hint: "Close it where it should end; everything behind it is read as its content." },
  "plan/bad-json":              { code: "P011", severity: "error",   hint: "Fix the file at this place; until then Pawl does not change it." },
  "plan/not-a-plan":            { code: "P012", severity: "error",   hint: "Name a file with such a list, a folder of task files, or Markdown with steps or boxes; or a person has an agent write a plan from it: `pawl plan new NAME --from FILE`." },
  "plan/nothing-to-do":         { code: "P013", severity: "error",   hint: "Write at least one step: a subtask in a phase, a task file, or a box." },
  "plan/duplicate-id":          { code: "P014", severity: "error",   hint: "Give each of them an id of its own." },
  "plan/one-task":              { code: "P015", severity: "error",   hint: "Name the folder that holds the task files." },
  "plan/too-many-lines":        { code: "P016", severity: "error",   hint: "Split the plan into smaller ones." },
  "plan/repeated-step":        { code: "P017", severity: "error",   hint: "Say in each of the two what it is about, or take one of them out: nothing tells them apart, so progress could end up at the wrong one." },
  "plan/no-tasks":              { code: "P018", severity: "error",   hint: "Write each task as a heading with its number: `### Task 1: Title`." },
  "plan/unclosed":              { code: "P020", severity: "warning", hint: "Close it where it should end." },
  "plan/unread-heading":        { code: "P021", severity: "warning", hint: "For a step write `#### Step 1: Title {#step-1}`, level 3 to 5; for anything else start the heading with another word." },
  "plan/duplicate-number":      { code: "P022", severity: "warning", hint: "Number the steps differently; Pawl distinguishes them by their anchors." },
  "plan/misleading-anchor":     { code: "P023", severity: "warning", hint: "Make number and anchor agree; the anchor is what counts." },
  "plan/implied-dependency":    { code: "P024", severity: "warning", hint: "Take the reference out; a substep is worked on inside its step, and the step is complete when its substeps are." },
  "plan/unread-dependency":     { code: "P025", severity: "warning", hint: "Write the steps first, separated by commas, and put remarks in parentheses behind them." },
  "plan/inexact-dependency":    { code: "P026", severity: "warning", hint: "Write the anchor exactly as the step's heading has it." },
  "plan/unread-box":            { code: "P027", severity: "warning", hint: "Use `[ ]`, `[x]`, `[~]` or `[-]`." },
  "plan/empty-item":            { code: "P028", severity: "warning", hint: "Say what is to be done." },
  "plan/unread-file":           { code: "P029", severity: "warning", hint: "Fix the file; Pawl skipped it, and the steps that depend on it are blocked." },
  "plan/missing-task":          { code: "P030", severity: "warning", hint: "Add the task, or take the reference out; until then what waits for it is blocked." },
  "plan/unknown-status":        { code: "P031", severity: "warning", hint: "Use a status of the format; until then the step is held back." },
  "plan/contradicting-status":  { code: "P032", severity: "warning", hint: "Make them agree; the parts count, not the whole." },
  "plan/duplicate-name":        { code: "P033", severity: "warning", hint: "Keep one of the two; the last one counts." },
  "plan/misleading-name":       { code: "P034", severity: "warning", hint: "Make file name and id agree; the file name is what counts." },
  "plan/repeated-id":           { code: "P035", severity: "warning", hint: "Give each task an id of its own; until then its section and words tell them apart." },
  "plan/unread-reference":      { code: "P036", severity: "warning", hint: "Name a task of this file, or take the reference out; nothing waits for it." },
  "plan/wrong-type":            { code: "P037", severity: "warning", hint: "Write it as the format has it; it was passed over." },
  "plan/broken-down-in-vain":   { code: "P038", severity: "warning", hint: "Add the files of its subtasks, or give it another status; until then it is held back." },
  "plan/unread-label":         { code: "P039", severity: "warning", hint: "Write `**Depends on:** #step-1`; as it stands, nothing waits for anything here." },
  "plan/unnumbered-step":       { code: "P040", severity: "info",    hint: "It is a step because it has an anchor; a number would make it clearer." },
  "plan/default-anchor":        { code: "P041", severity: "info",    hint: "Write `{#step-1}` at the end of a heading, so that renumbering does not lose progress." },
  "plan/dependency-remark":     { code: "P042", severity: "info",    hint: "It is read as a remark, not as a dependency." },
  "plan/boxes-outside":         { code: "P043", severity: "info",    hint: "They are not tracked. Move those that are work of a step into it." },
  "plan/boxes-untracked":       { code: "P044", severity: "info",    hint: "Move those that are work under Tasks, Tests or Checkpoint." },
  "plan/boxes-as-tasks":        { code: "P045", severity: "info",    hint: "They are read as tasks. Put them under Tasks, Tests or Checkpoint to say what they are." },
  "plan/repeated-field":        { code: "P046", severity: "info",    hint: "Only the first one counts." },
  "plan/other-word":            { code: "P047", severity: "info",    hint: "It is understood; the format's own word would be clearer." },
  "plan/default-id":            { code: "P048", severity: "info",    hint: "Give it an id, so that moving it does not lose progress." },
  "plan/dropped":               { code: "P049", severity: "info",    hint: "It is no step. Take the mark away to bring it back." },
  "plan/assumed-order":         { code: "P050", severity: "info",    hint: "Write `depends_on` into each phase to say otherwise." },
  "plan/archived-task":         { code: "P051", severity: "info",    hint: "A task that was put into the archive counts as done." },
  "plan/wrong-summary":         { code: "P052", severity: "info",    hint: "The list counts, not the summary." },
  "plan/completed-by-marks":    { code: "P053", severity: "info",    hint: "Open a box or take the mark away if there is something left to do; a completed step is never claimed." },
  "plan/close-call":            { code: "P054", severity: "info",    hint: "Name the format with --format when it is not the one that was meant." },
  "plan/tight-box":             { code: "P055", severity: "info",    hint: "It is read as a box. Write `- [ ] words`, so that Markdown shows one." },
  "plan/only-parent-open":      { code: "P056", severity: "info",    hint: "Tick it if it is done; Pawl never concludes that from the boxes under it." },
  "plan/unread-work":           { code: "P057", severity: "info",    hint: "Write the work as boxes (`- [ ] words`) or under headings (`### Task 1: Title`), or a person has an agent do that: `pawl plan new NAME --from FILE`." },
  "plan/criteria-as-steps":     { code: "P058", severity: "warning", hint: "If they say what a task must fulfil, give each task a heading `### Task 1: Title`; the boxes under it are its items then." },
  "plan/quoted-boxes":          { code: "P060", severity: "info",    hint: "Take the `>` away where a box is work of this plan; what is quoted is an example or belongs to another one." },
  "plan/finished-cycle":        { code: "P061", severity: "info",    hint: "It stops no work: a step that is done waits for nothing. Take out one of these dependencies before you have such a step done again." },
  "plan/checkpoint-passed":     { code: "P062", severity: "warning", hint: "Hold the next step before the run where a person must decide first: `pawl state hold`. The checkpoint is a check of the plan." },
  "plan/import-only":           { code: "P063", severity: "warning", hint: "Convert it once with `pawl plan convert <plan> --to headed --lossy --output plan.md`, then run that plan." },
  "plan/two-statuses":        { code: "P064", severity: "warning", hint: "Make the two agree; the first one counts, and is what Pawl writes." },
} as const satisfies Record<`plan/${string}`, DiagnosticSpec>;

interface DiagnosticSpec {
  readonly code: `P${number}`;
  readonly severity: Severity;
  readonly hint: string;
}

export type DiagnosticName = keyof typeof DIAGNOSTICS;

/** Where a reader puts what it finds. The message is made only when it is kept. */
export type Report = (name: DiagnosticName, place: SourcePosition, message: () => string) => void;

export interface Collector {
  readonly report: Report;
  /** In the order of the file, as every compiler prints them. */
  readonly all: () => readonly Diagnostic[];
}

/** A hostile plan has millions of oddities; a page of the same is enough to read. */
export const MOST_OF_A_KIND = 100;

export function collectDiagnostics(): Collector {
  const found: Diagnostic[] = [];
  const counts = new Map<DiagnosticName, { count: number; next: SourcePosition }>();
  const add = (name: DiagnosticName, place: SourcePosition, message: string) =>
    found.push({ ...DIAGNOSTICS[name], name, message, ...place });
  return {
    report(name, place, message) {
      const kind = counts.get(name) ?? { count: 0, next: place };
      kind.count += 1;
      if (kind.count <= MOST_OF_A_KIND) add(name, place, message());
      if (kind.count === MOST_OF_A_KIND + 1) kind.next = place;
      counts.set(name, kind);
    },
    all() {
      for (const [name, { count, next }] of counts) {
        if (count > MOST_OF_A_KIND)
          add(name, next, `From here on there are ${count - MOST_OF_A_KIND} more like it.`);
      }
      counts.clear();
      return found.toSorted(
        (a, b) =>
          compareText(a.file ?? "", b.file ?? "") ||
          a.line - b.line ||
          a.column - b.column ||
          compareText(a.code, b.code),
      );
    },
  };
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Words of the plan inside a message: in quotes, and short, because a hostile plan has long ones. */
export function quote(text: string): string {
  if (text.length <= LONGEST_QUOTE) return `“${text}”`;
  // Cut between characters, never inside one.
  return `“${text.slice(0, LONGEST_QUOTE - 1).replace(/[\ud800-\udbff]$/, "")}…”`;
}

const LONGEST_QUOTE = 80;
