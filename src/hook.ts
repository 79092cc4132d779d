import { answerHook, guard, write } from "./cli/index.ts";
import { readEvent, workingFolder } from "./platform/os/index.ts";

/**
 * The process of a hook: `pawl hook stop` and nothing else on the line.
 *
 * Hooks run all day and an agent waits for each. Here they come without the shell of the command line, its table of
 * commands and the verbs they never call: half of what a command loads. With any option more they go through `main`,
 * and the answer is the same, because both are `answerHook`.
 */
const { env } = process;

async function verbs(cwd: string) {
  const [{ compose }, { bindVerbs }, { HOOK_VERBS }] = await Promise.all([
    import("./compose.ts"),
    import("./verb.ts"),
    import("./hook-verbs.ts"),
  ]);
  const ports = await compose({ cwd, env });
  return { pawl: bindVerbs(HOOK_VERBS, ports), files: ports.files };
}

// An event mostly names its folder.
void answerHook({ cwd: workingFolder() ?? "/", env, event: readEvent, verbs }, process.argv[3] ?? "")
  .then((output) => output && write(1, `${guard(JSON.stringify(output), false)}\n`))
  // Leaving without closing the database, as every command does; and always in order.
  .catch(() => undefined)
  .then(() => process.exit(0));
