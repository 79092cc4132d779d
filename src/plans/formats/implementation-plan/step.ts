import type {
  Dependency,
  FoundStatus,
  PlanStep,
  StepProgress,
  StepVerification,
} from "../../../domain/index.ts";
import { quote } from "../diagnostics.ts";
import {
  arrayNode,
  firstMember,
  type JsonNode,
  type JsonObject,
  member,
  nodeText,
  nodeValue,
  objectNode,
} from "../../../platform/json/index.ts";
import { titleLine } from "../plan-words.ts";
import { statusNamed } from "../shown-status.ts";
import type { Child, Phase, Reading } from "./outline.ts";
import { CHILD_TITLES, OWN_WORDS, STATUSES } from "./words.ts";

export function stepOfSubtask(
  phase: Phase,
  child: Child,
  dependsOn: readonly Dependency[],
  reading: Reading,
): PlanStep {
  const { node, anchor } = child;
  const description = nodeText(member(node, "description"));
  const title = nodeText(firstMember(node, CHILD_TITLES)) ?? firstLine(description) ?? child.id ?? anchor;
  const verification = verificationOf(firstMember(node, ["verification"]));
  return {
    anchor,
    title: titleLine(title),
    line: reading.place(node.start).line,
    dependsOn,
    items: [],
    substeps: [],
    commit: undefined,
    references: titleLine(phase.title),
    body: bodyOf(node, description, verification),
    progress: progressOf(node, reading),
    ...(child.id === undefined ? { section: phase.section } : {}),
    ...(verification ? { verification } : {}),
  };
}

const firstLine = (text: string | undefined): string | undefined =>
  text
    ?.split(/\r\n|\n|\r/)
    .find((line) => line.trim() !== "")
    ?.trim();

/** The words of the file for the agent that does the work. No status and no time: those change without changing the work. */
function bodyOf(
  node: JsonObject,
  description: string | undefined,
  verification: StepVerification | undefined,
): string {
  const lists = LISTS.flatMap(([name, label]) => {
    const values = (arrayNode(member(node, name))?.items ?? []).flatMap((item) => nodeText(item) ?? []);
    return values.length === 0 ? [] : [`${label}:\n${values.map((value) => `- ${value}`).join("\n")}`];
  });
  const service = nodeText(member(node, "service"));
  return [
    description,
    service === undefined ? undefined : `Service: ${service}`,
    ...lists,
    verification && verification.text !== "" ? `Verification: ${verification.text}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

const LISTS = [
  ["files_to_modify", "Files to modify"],
  ["files_to_create", "Files to create"],
  ["files_to_delete", "Files to delete"],
  ["patterns_from", "Patterns from"],
] as const;

/** An object, text or a list; a command stands in `command` or `run`. */
function verificationOf(node: JsonNode | undefined): StepVerification | undefined {
  if (!node) return undefined;
  const object = objectNode(node.type === "array" ? node.items[0] : node);
  if (object) {
    const command = nodeText(firstMember(object, ["command", "run"]));
    const type = nodeText(member(object, "type")) ?? (command === undefined ? "manual" : "command");
    return { type, command, text: JSON.stringify(nodeValue(node)) };
  }
  const text = nodeText(node) ?? (node.type === "array" ? JSON.stringify(nodeValue(node)) : undefined);
  return text === undefined ? undefined : { type: "manual", command: undefined, text };
}

function progressOf(node: JsonObject, reading: Reading): StepProgress {
  const status = subtaskStatus(member(node, "status"), reading);
  return {
    status: status ?? "on_hold",
    reason: status === "failed" ? "failed" : undefined,
    note: undefined,
    verificationAttempts: 0,
    updatedAt: nodeText(firstMember(node, ["updated_at", "completed_at", "started_at"])),
  };
}

/** Undefined for an unknown word. */
export function subtaskStatus(node: JsonNode | undefined, reading?: Reading): FoundStatus | undefined {
  if (!node || node.type === "null") return "pending";
  const text = node.type === "string" ? node.value : undefined;
  if (text?.trim() === "") return "pending";
  const status = text === undefined ? undefined : statusNamed(STATUSES, text);
  if (status === undefined) {
    reading?.report("plan/unknown-status", reading.place(node.start), () =>
      text === undefined ? "A status is no text." : `The status ${quote(text)} is not known.`,
    );
  } else if (!OWN_WORDS.has(text!)) {
    reading?.report(
      "plan/other-word",
      reading.place(node.start),
      () => `The status ${quote(text!)} is read as ${status}.`,
    );
  }
  return status;
}
