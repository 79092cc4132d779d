import { fromInstant } from "../../domain/instant.ts";
import { sessionName } from "../../domain/session-name.ts";
import type { CheckpointView, SessionDetail } from "../../flow/run/session-view.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import { displayWidth, padEnd } from "../text/layout.ts";
import type { Paint } from "../text/paint.ts";
import { sessionLines } from "../text/show-sessions.ts";

const SESSION = {
  name: "session",
  about: "The session, or the beginning of its id",
  required: true,
} as const;

export const sessionsShow = defineCommand({
  name: "sessions show",
  about: "One session: what it was asked to do, and all it did",
  operands: [SESSION],
  options: {},
  examples: ["pawl sessions show s-1f0c"],
  async run(context, _values, [id = ""]) {
    const session = await (await context.pawl()).showSession({ id });
    return { data: snakeCase({ session }), text: (paint) => textOf(session, paint) };
  },
});

function textOf(session: SessionDetail, paint: Paint): string {
  const { worktree, branch, host, pid, agent, workflow, focus, snapshotRef, logFolder, checkpoints } =
    session;
  const facts: readonly (readonly [string, string | null])[] = [
    ["worktree", `${worktree}${branch === null ? "" : ` (${branch})`}`],
    ["process", `${pid} on ${host}`],
    ["agent", agent === null ? null : `${agent}, workflow ${workflow}`],
    ["focus", focus],
    ["logs", logFolder],
    [
      "work kept",
      snapshotRef === null
        ? null
        : `${snapshotRef}; back with: pawl sessions restore ${sessionName(session.id)}`,
    ],
  ];
  return [
    ...sessionLines(session, paint, Date.now()),
    ...facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `  ${name.padEnd(10)} ${paint.plain(value!)}`),
    ...checkpointLines(checkpoints, paint),
  ].join("\n");
}

/** What was done, in columns: how it ended, how long it took, what it changed. */
function checkpointLines(checkpoints: readonly CheckpointView[], paint: Paint): readonly string[] {
  const rows = checkpoints.map(
    ({ number, anchor, iteration, command, outcome, startedAt, endedAt, filesModified }) => ({
      outcome,
      number: String(number).padStart(3),
      step: anchor ?? `iteration ${iteration}`,
      command,
      took:
        endedAt === null ? "" : `${((fromInstant(endedAt) - fromInstant(startedAt)) / 1000).toFixed(1)} s`,
      changed: filesModified.length === 0 ? "" : `${filesModified.length} changed`,
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
