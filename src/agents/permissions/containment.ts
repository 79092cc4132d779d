import type { PermissionProfile } from "../../domain/index.ts";
import type { SandboxTools } from "../../platform/ports/index.ts";
import type { AgentPreset } from "../agent-preset.ts";

/** What stands around an agent here, and why nothing does where it should. */
export interface AgentContainment {
  /** The profile that it gets: `sandboxed` becomes `edits` where there is no sandbox. */
  readonly profile: PermissionProfile;
  /** `own`: the agent's sandbox. `pawl`: Pawl starts it in one. */
  readonly by: "own" | "pawl" | undefined;
  /** What is missing on this machine; undefined where the profile is what was asked for. */
  readonly missing: string | undefined;
  /** What to install, where that would help. */
  readonly install: string | undefined;
}

const INSTALL = "bubblewrap";

/** Decides what an agent gets of the profile that was asked for. Nothing gets weaker without `missing` saying so. */
export function containmentOf(
  { sandbox }: Pick<AgentPreset, "sandbox">,
  asked: PermissionProfile,
  tools: SandboxTools,
): AgentContainment {
  if (asked === "full") return { profile: asked, by: undefined, missing: undefined, install: undefined };
  if (sandbox === "bundled" || (sandbox === "own" && tools.system === "macos"))
    return { profile: asked, by: "own", missing: undefined, install: undefined };
  const missing = tools.bubblewrapProblem ?? (sandbox === "own" && !tools.hasSocat ? NO_SOCAT : undefined);
  if (missing === undefined)
    return { profile: asked, by: sandbox === "own" ? "own" : "pawl", missing, install: undefined };
  const install = tools.system !== "linux" ? undefined : sandbox === "own" ? `${INSTALL} and socat` : INSTALL;
  return { profile: "edits", by: undefined, missing, install };
}

const NO_SOCAT = "socat is not installed";
