import { withoutGit } from "../../git/index.ts";
import { redactor, secretsIn } from "../supervise/redact.ts";
import type { Ports, Requests } from "../../ports/index.ts";
import { hostedRepository } from "./hosted-repository.ts";
import { toolRunner } from "./run-tool.ts";

export interface RequestsSetting extends Pick<Ports, "repository" | "settings" | "branches"> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The requests of the service that hosts a remote; undefined where its address names none. */
export async function hostedRequests({
  repository: { mainTopLevel, commonDir },
  env,
  settings,
  branches,
}: RequestsSetting): Promise<Requests | undefined> {
  const { remote, publish_with: wanted } = settings;
  if (remote === undefined) return undefined;
  const named = wanted === "gh" || wanted === "glab" ? wanted : undefined;
  const address = await (await branches()).remoteUrl(remote);
  const hosted = address === undefined ? undefined : hostedRepository(address);
  if (hosted === undefined && named === undefined) return undefined;
  const program = named ?? (hosted?.host.includes("gitlab") ? "glab" : "gh");
  const redact = (text: string): string => {
    const { push, end } = redactor(secretsIn(env));
    return Buffer.concat([push(Buffer.from(text)), end()])
      .toString("utf8")
      .replaceAll(/(?<=[a-z0-9+.-]:\/\/)[^\s/'"@]*@/gi, "");
  };
  const run = toolRunner({ program, cwd: mainTopLevel ?? commonDir, env: withoutGit(env), redact });
  const repository = hosted === undefined ? (address ?? "") : `${hosted.host}/${hosted.path}`;
  if (program === "gh") return (await import("./gh-requests.ts")).ghRequests(run, repository);
  const whole = hosted === undefined ? repository : `https://${repository}`;
  return (await import("./glab-requests.ts")).glabRequests(run, whole);
}
