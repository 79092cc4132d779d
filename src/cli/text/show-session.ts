import { fromInstant, sessionName, usageText } from "../../domain/index.ts";
import type { CheckpointView, SessionDetail } from "../../sessions/index.ts";
import { displayWidth, padEnd } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { sessionLines } from "./show-sessions.ts";

/** All that is known of one session. */
export function sessionText(session: SessionDetail, paint: Paint, nowMs: number): string {
  const { worktree, branch, host, pid, agent, workflow, focus, snapshotRef, logFolder, checkpoints } =
    session;
  const facts: readonly (readonly [string, string | null])[] = [
    ["worktree", `${worktree}${branch === null ? "" : ` (${branch})`}`],
    ["process", `${pid} on ${host}`],
    ["agent", agent === null ? null : `${agent}, workflow ${workflow}`],
    ["focus", focus],
    ["logs", logFolder],
    ["used", session.usage === null ? null : usageText(session.usage)],
    [
      "work kept",
      snapshotRef === null
        ? null
        : `${snapshotRef}; restore it with: pawl sessions restore ${sessionName(session.id)}`,
    ],
  ];
  return [
    ...sessionLines(session, paint, nowMs),
    ...facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `  ${name.padEnd(10)} ${paint.plain(value!)}`),
    ...checkpointLines(checkpoints, paint),
  ].join("\n");
}

/** What was done, in columns: how it ended, how long it took, what it changed. */
function checkpointLines(checkpoints: readonly CheckpointView[], paint: Paint): readonly string[] {
  const rows = checkpoints.map(
    ({ number, anchor, iteration, command, outcome, startedAt, endedAt, filesModified, usage }) => ({
      outcome,
      number: String(number).padStart(3),
      step: anchor ?? `iteration ${iteration}`,
      command,
      took:
        endedAt === null ? "" : `${((fromInstant(endedAt) - fromInstant(startedAt)) / 1000).toFixed(1)} s`,
      changed: [
        ...(filesModified.length === 0 ? [] : [`${filesModified.length} changed`]),
        ...(usage === null ? [] : [usageText(usage)]),
      ].join(", "),
    }),
  );
  // Once for all: a session that worked for weeks has thousands.
  const widths = { step: 0, command: 0, took: 0 };
  for (const row of rows)
    for (const column of ["step", "command", "took"] as const)
      widths[column] = Math.max(widths[column], displayWidth(row[column]));
  return rows.map(({ number, step, command, outcome, took, changed }) => {
    const ended = (outcome ?? "cut off").padEnd(9);
    const look = outcome === "finished" ? paint.green : outcome === null ? paint.yellow : paint.red;
    const what = `${padEnd(step, widths.step)}  ${padEnd(command, widths.command)}`;
    return `  ${number}  ${paint.plain(what)}  ${look(ended)}  ${took.padStart(widths.took)}  ${paint.dim(changed)}`.trimEnd();
  });
}
