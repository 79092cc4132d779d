import { expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { problemsOnServer } from "./server-world.ts";
import { freshId, schemaOf, sharedServer } from "./shared-server.ts";
import { startPooler } from "./transaction-pooler.ts";

const shared = sharedServer();

/** Anything that a connection would remember after its transaction, and the next client of it would meet. */
const STAYS_BEHIND = [
  /^set (?!local\b|transaction\b)/i,
  /^(prepare|deallocate|listen|unlisten|discard|declare|load)\b/i,
  /\bcreate\s+(temp|temporary)\b/i,
  /\bpg_(try_)?advisory_lock/i,
  /set_config\([^)]*,\s*false\s*\)/i,
];

test("every verb works through a pooler that gives each transaction another connection", async () => {
  const pooler = await startPooler(shared.url, 5);
  onTestFinished(pooler.close);
  const repository = testRepository();
  onTestFinished(repository.remove);
  const id = freshId();
  const env = cleanEnv({ PAWL_DATABASE_URL: pooler.url, PAWL_REPOSITORY_ID: id });
  const pawl = pawlOn(await compose({ cwd: repository.path, env }));
  onTestFinished(() => pawl.close());
  const called = await callEveryVerb(pawl, repository.path, (name, text) => repository.write(name, text));
  const verbs = Object.keys(pawl).filter((verb) => verb !== "close");
  expect(verbs.filter((verb) => !called.has(verb))).toEqual([]);

  expect(
    pooler.used.every((transactions) => transactions > 5),
    pooler.used.join(" "),
  ).toBe(true);
  expect(pooler.queries.filter(({ name }) => name !== "")).toEqual([]);
  const statements = pooler.queries.flatMap(({ text }) => text.split(";").map((part) => part.trim()));
  expect(statements.length).toBeGreaterThan(200);
  expect(statements.filter((text) => STAYS_BEHIND.some((pattern) => pattern.test(text)))).toEqual([]);
  expect(await problemsOnServer(shared.url, schemaOf(id))).toEqual([]);
});

async function callGitVerbs(
  verbs: Pawl,
  plan: string,
  worktree: string,
  write: (name: string, text: string) => void,
): Promise<void> {
  write(plan, SMALL_PLAN);
  const { anchor, claim } = await verbs.claim({ plan, worktree, start: true });
  const who = { plan, step: anchor!, worktree, claim: claim! };
  await verbs.update({ ...who, changes: [{ all: true, status: "completed" }] });
  write("work", "done\n");
  await verbs.commit({ ...who, message: "work" });
  await verbs.finishIntents();
  const made = await verbs.createWorktree({ plan });
  write("more", "not committed\n");
  const { snapshot } = await verbs.takeSnapshot({ worktree });
  const name = snapshot!.ref;
  await verbs.listSnapshots();
  await verbs.showSnapshot({ name });
  await verbs.restoreSnapshot({ name });
  await verbs.dropSnapshot({ name });
  await verbs.listWorktrees();
  await verbs.syncWorktree({ target: plan });
  await verbs.mergeWorktree({ target: plan });
  await verbs.removeWorktree({ target: made.branchName });
  await verbs.cleanWorktrees();
}

/** An agent that does nothing: its steps end blocked, which says as much about the statements as work would. */
async function callRunVerbs(verbs: Pawl, plan: string): Promise<void> {
  const argv = ["true"];
  const { ended, sessions, blocked } = await verbs.run({ plan, argv });
  expect({ ended, blocked: blocked.length }).toMatchObject({ ended: "stuck", blocked: expect.any(Number) });
  const id = sessions[0]!;
  expect((await verbs.listSessions()).map((session) => session.id)).toContain(id);
  await verbs.showSession({ id });
  await verbs.transcript({ id });
  await verbs.listRuns();
  await verbs.conflict({ plan, step: blocked[0]!.anchor });
  await verbs.tell({ plan, to: blocked[0]!.anchor, text: "use the other one" });
  await verbs.verify({ plan, step: blocked[0]!.anchor });
  await verbs.retryBlocked({ plan });
  await verbs.improve({ argv, maxIterations: 1 });
  await expect(verbs.resume({ id })).rejects.toMatchObject({ problem: "session/not-resumable" });
  expect(await verbs.abandonSession({ id })).toMatchObject({ abandoned: true });
  await expect(verbs.restoreSession({ id })).rejects.toMatchObject({ name: "Failure" });
  await verbs.cleanSessions();
  await verbs.previewRun({ plan, argv });
  await expect(
    verbs.draftPlan({ path: "no-such-folder/shed.md", description: "a shed", format: "tugplan", argv }),
  ).rejects.toMatchObject({
    name: "Failure",
  });
  await expect(verbs.readLog({ id })).resolves.toBeDefined();
  await verbs.recover({ plan, dryRun: true });
}

async function callLookVerbs(verbs: Pawl, plan: string, worktree: string): Promise<void> {
  await verbs.overview();
  await verbs.planProgress({ plan });
  await verbs.startingPoints();
  await verbs.installedAgents();
  await verbs.proposedSettings();
  await verbs.changes({ worktree });
  await verbs.diagnosis({ plan });
  await verbs.train();
  await verbs.notVerified();
  await verbs.stoppedSteps();
  await verbs.stepLines({ plan });
  await verbs.stepHistory({ plan, step: "step-0" });
  await verbs.journalPage();
  await verbs.newestLine();
  await verbs.timeline();
  await expect(verbs.commitView({ commit: "0".repeat(40) })).rejects.toMatchObject({ name: "Failure" });
  await verbs.prime({ worktree });
  await verbs.checkPlan({ plan });
  await verbs.recoverReport();
  await verbs.heartbeatHere({ worktree });
  await verbs.unfinishedStep({ worktree, conversation: "c-1" });
  await verbs.handOver({ worktree, trigger: "auto", note: "half done" });
  await verbs.markCleanExit();
  await verbs.callingAgent({ worktree });
  await verbs.refuseAgents({ verb: "a verb for people" });
  await verbs.gc({ dryRun: true });
  await (await verbs.openAgentSession({ worktree })).leave("hangup");
}

async function callEveryVerb(
  pawl: Pawl,
  worktree: string,
  write: (name: string, text: string) => void,
): Promise<Set<string>> {
  const called = new Set<string>();
  const verbs = new Proxy(pawl, {
    get(target, name: keyof Pawl) {
      called.add(name);
      return target[name];
    },
  });
  const plan = "plan.md";
  write(plan, SMALL_PLAN);
  await verbs.prepare();
  await verbs.init({ plan });
  const { claim } = await verbs.claim({ plan, worktree, requestId: "r-1" });
  const who = { plan, step: "step-0", worktree, claim: claim! };
  await verbs.start(who);
  await verbs.heartbeat(who);
  await verbs.update({ ...who, changes: [{ all: true, status: "completed" }] });
  await verbs.artifact({ ...who, kind: "auditor_summary", summary: "fine", content: "long ".repeat(500) });
  await verbs.complete({ ...who, requestId: "r-2" });
  await verbs.reopen({ plan, step: "step-0", reason: "again" });
  await verbs.claim({ plan, worktree });
  await verbs.release({ plan, step: "step-0", worktree });
  await verbs.claim({ plan, worktree });
  await verbs.reset({ plan, step: "step-0" });
  await verbs.hold({ plan, step: "step-0" });
  await verbs.retry({ plan, step: "step-0" });
  await verbs.reconcile({ plan });
  await verbs.show({ plan });
  await verbs.showAll();
  await verbs.step({ plan, step: "step-0" });
  await verbs.ready({ plan });
  await verbs.list();
  await verbs.events({ plan });
  await verbs.explain({ plan, step: "step-0" });
  await verbs.doctor();
  const session = await verbs.openSession({ plan, worktree });
  await verbs.claim({ plan, worktree, session: session.id });
  await session.end("completed");
  write(plan, SMALL_PLAN.replace("Lay the ground", "Lay new ground"));
  const { savedTo } = await verbs.reinit({ plan });
  await verbs.restore({ path: savedTo! });
  await expect(verbs.prune()).rejects.toMatchObject({ problem: "usage/wrong" });
  await callGitVerbs(verbs, plan, worktree, write);
  await callRunVerbs(verbs, plan);
  await callLookVerbs(verbs, plan, worktree);
  await verbs.copyStore({ from: "postgres", to: "sqlite" });
  return called;
}
