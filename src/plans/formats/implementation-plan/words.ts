import type { FoundStatus } from "../../../domain/index.ts";

/** Every spelling of a name that files in the wild have, the format's own first. */
export const TITLES = ["feature", "title", "specTitle", "spec_title", "spec_name", "taskTitle"] as const;
export const PHASE_IDS = ["id", "phase_id", "phaseId", "phase", "phase_number"] as const;
export const PHASE_TITLES = ["name", "title", "phase_name", "phaseName", "phaseTitle"] as const;
export const CHILDREN = ["subtasks", "chunks", "tasks", "steps"] as const;
export const CHILD_IDS = ["id", "subtask_id", "subtaskId", "chunk_id", "task_id"] as const;
export const CHILD_TITLES = ["title", "name"] as const;
export const DEPENDENCIES = ["depends_on", "dependencies", "dependsOn"] as const;

/** The words of the format, and what else is understood. */
export const STATUSES: ReadonlyMap<string, FoundStatus> = new Map<string, FoundStatus>([
  ["pending", "pending"],
  ["not started", "pending"],
  ["todo", "pending"],
  ["queued", "pending"],
  ["backlog", "pending"],
  ["in progress", "in_progress"],
  ["running", "in_progress"],
  ["active", "in_progress"],
  ["wip", "in_progress"],
  ["working", "in_progress"],
  ["completed", "completed"],
  ["done", "completed"],
  ["complete", "completed"],
  ["finished", "completed"],
  ["success", "completed"],
  ["blocked", "blocked"],
  ["stuck", "blocked"],
  ["waiting", "blocked"],
  ["failed", "failed"],
  ["error", "failed"],
  ["errored", "failed"],
]);

export const OWN_WORDS: ReadonlySet<string> = new Set([
  "pending",
  "in_progress",
  "completed",
  "blocked",
  "failed",
]);
