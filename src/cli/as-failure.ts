import { Failure } from "../domain/errors.ts";

/**
 * Whatever was thrown, as a failure: one that was foreseen as it is, a refusal of the system for the person who can do
 * something about it, anything else as a bug of ours. Its stack is for those who ask.
 */
export function asFailure(thrown: unknown, withStack = false): Failure {
  if (thrown instanceof Failure) return thrown;
  if (!(thrown instanceof Error)) {
    return new Failure("internal/bug", `Something that is not an error was thrown: ${typeof thrown}.`);
  }
  if (isOfTheSystem(thrown))
    return new Failure("system/refused", `${thrown.message}.`, {}, { cause: thrown, ...hintOf(thrown) });
  const stack = withStack ? (thrown.stack ?? "").split("\n").map((line) => line.trim()) : [];
  const frames = stack.filter((line) => line.startsWith("at "));
  return new Failure("internal/bug", thrown.message, frames.length > 0 ? { stack: frames } : {}, {
    cause: thrown,
  });
}

/** Nobody finds room by looking at their rights. */
const hintOf = ({ code }: NodeJS.ErrnoException): { readonly hint?: string } =>
  code === "ENOSPC" || code === "EDQUOT" ? { hint: "Free some disk space, then run the command again." } : {};

/** A call to the operating system that failed where nobody expected it: rights, disks, files that are folders. */
const isOfTheSystem = (error: Error): boolean => "syscall" in error && "errno" in error;
