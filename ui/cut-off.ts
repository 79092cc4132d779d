import type { Command, Session } from "./types.ts";

/** A session as far as its clocks need it. */
type Ended = Pick<Session, "status" | "ended_at"> & { readonly interrupted_at?: string | null };

/** When a session ended, or was cut off; null while it runs. */
export const endOf = ({ status, ended_at, interrupted_at }: Ended): string | null =>
  status === "in_progress" ? null : (interrupted_at ?? ended_at);

/**
 * When a command was cut off; undefined for one that ended, or runs. Its session may have ended with it, or been resumed
 * and begun another.
 */
export function cutOffAt(command: Command, commands: readonly Command[], session: Ended): string | undefined {
  if (command.outcome !== null || command.ended_at !== null) return undefined;
  const next = commands[commands.indexOf(command) + 1];
  return next?.started_at ?? endOf(session) ?? undefined;
}
