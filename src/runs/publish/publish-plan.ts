import { Failure, fromInstant, usageView } from "../../domain/index.ts";
import { journal } from "../../journal/index.ts";
import { listSteps, savedPlan } from "../../plans/index.ts";
import type { HostedCheck, HostedRequest, Ports, Requests } from "../../platform/ports/index.ts";
import { sumPlanUsage } from "../../sessions/index.ts";
import { listPlanPasses } from "../../verification/index.ts";
import { requestBody, requestMarker, type RequestStep } from "./request-body.ts";
import { listPlanWork } from "./sql/list-plan-work.ts";

export interface Published {
  readonly url: string;
  /** Checks of the hosting service that failed, where those count. */
  readonly failed: readonly string[];
}

/**
 * Brings the one request of a plan up to date: opens it as a draft, writes where every step stands, and marks it as ready
 * at the end of the plan.
 *
 * It is found by a marker in its text, so a crash anywhere leads to the same one. One that a person has closed stays
 * closed.
 */
export async function publishPlan(
  ports: Ports,
  { plan, branch }: { readonly plan: string; readonly branch: string },
): Promise<Published | undefined> {
  if (ports.settings.publish === undefined) return undefined;
  const requests = await ports.requests();
  if (requests === undefined) throw noService(ports.settings.remote);
  const locks = await ports.locks();
  return locks.during(`publish ${branch}`, () => publish(ports, requests, { plan, branch }));
}

const noService = (remote: string | undefined): Failure =>
  remote === undefined
    ? new Failure("request/no-service", "`publish` needs `remote`: there is nothing to publish from.", {})
    : new Failure("request/no-service", `The address of ${remote} names no hosting service.`, { remote });

async function publish(
  ports: Ports,
  requests: Requests,
  { plan, branch }: { readonly plan: string; readonly branch: string },
): Promise<Published | undefined> {
  const marker = requestMarker(plan, await repositoryOf(ports));
  const isOurs = ({ body }: HostedRequest) => body.includes(marker);
  const find = async () => {
    const all = (await requests.list(branch)).filter(isOurs);
    return all.find(({ isOpen }) => isOpen) ?? all[0];
  };
  const { steps, title, isDone, usage } = await readSteps(ports, plan);
  const bodyWith = (checks: readonly HostedCheck[]) =>
    requestBody({ marker, plan, title, steps, checks, usage });
  let found = await find();
  if (found === undefined) {
    if (!steps.some(({ status }) => status === "completed")) return undefined;
    const base = await baseOf(ports, branch);
    // Another machine may open it at the same time. The service takes one for a branch, and that one is found then.
    const refusal = await requests
      .open({ branch, base, title, body: bodyWith([]) })
      .then(() => undefined)
      .catch((error: unknown) => error);
    found = await find();
    if (found === undefined) throw refusal ?? notThere(requests, branch);
    await note(ports, plan, "request-opened", found);
  }
  const { number, url } = found;
  if (!found.isOpen) return { url, failed: [] };
  const checks = ports.settings.publish_checks === true ? await requests.checks(number, branch) : [];
  const body = bodyWith(checks);
  if (found.body.trim() !== body.trim()) await requests.write(number, body);
  const failed = checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
  // What the service found is evidence, too: a request whose checks fail is not ready.
  if (isDone && found.isDraft && failed.length === 0) {
    await requests.ready(number);
    await note(ports, plan, "request-ready", found);
  }
  if (failed.length > 0) await note(ports, plan, "request-checks-failed", found, { failed });
  return { url, failed };
}

const notThere = ({ program }: Requests, branch: string): Failure =>
  new Failure("request/tool-failed", `${program} opened no request for ${branch} that it lists.`, {
    program,
  });

/** The same in every clone. */
async function repositoryOf({ settings, git }: Ports): Promise<string> {
  return settings.repository_id ?? (await git.origin()).roots[0] ?? "";
}

async function baseOf({ branches, settings }: Ports, branch: string): Promise<string> {
  const base = (await (await branches()).planBranch(branch))?.mark?.base ?? settings.base_branch ?? "main";
  const prefix = `${settings.remote}/`;
  return base.startsWith(prefix) ? base.slice(prefix.length) : base;
}

async function readSteps(ports: Ports, plan: string) {
  const database = await ports.database();
  const { row, rows, passes, work, spent } = await database.read(async (sql) => ({
    row: await savedPlan(sql, plan),
    rows: await sql.all(listSteps, { plan_path: plan }),
    passes: await sql.all(listPlanPasses, { plan_path: plan }),
    work: await sql.all(listPlanWork, { plan_path: plan }),
    spent: await sql.all(sumPlanUsage, { plan_path: plan }),
  }));
  const evidence = new Map(passes.map(({ anchor, evidence: made }) => [anchor, checkedIn(made)]));
  const steps: readonly RequestStep[] = rows
    .filter(({ parent_anchor }) => parent_anchor === null)
    .map(({ anchor, title, status, block_note, commit_hash }) => {
      const own = work.filter((one) => one.anchor === anchor);
      const workedMs = own.reduce(
        (ms, { started_at, ended_at }) =>
          ms + (ended_at === null ? 0 : fromInstant(ended_at) - fromInstant(started_at)),
        0,
      );
      return {
        anchor,
        title,
        status,
        note: block_note,
        commit: status === "completed" ? commit_hash : null,
        evidence: evidence.get(anchor),
        workedMs,
        starts: own.length,
        usage: usageView(spent.filter((one) => one.anchor === anchor)),
      };
    });
  return { steps, title: row.phase_title ?? plan, isDone: row.status === "done", usage: usageView(spent) };
}

const checkedIn = (evidence: string): string =>
  (JSON.parse(evidence) as readonly { readonly checked: string }[]).map(({ checked }) => checked).join(", ");

async function note(
  ports: Ports,
  plan: string,
  event: string,
  { number, url }: HostedRequest,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) => journal(sql, { event, plan, detail: { number, url, ...more } }));
}
