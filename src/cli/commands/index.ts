import type { Registry } from "../registry.ts";
import { AGENT_COMMANDS } from "../agent-commands.ts";

/** In the order `pawl --help` lists them. Each file loads only when its command is called. */
export const COMMANDS: Registry = {
  init: {
    about: "Prepare a repository: make the database and pawl.toml, say which plans are there",
    load: async () => (await import("./init.ts")).init,
  },
  "plan check": {
    about: "Parse and lint a plan; every problem with its line",
    load: async () => (await import("./plan-check.ts")).planCheck,
  },
  "plan show": {
    about: "The plan as Pawl reads it",
    load: async () => (await import("./plan-show.ts")).planShow,
  },
  "plan graph": {
    about: "The dependency graph, for a terminal, as Mermaid or SVG",
    load: async () => (await import("./plan-graph.ts")).planGraph,
  },
  "plan convert": {
    about: "Write a plan in another format, where nothing is lost",
    load: async () => (await import("./plan-convert.ts")).planConvert,
  },
  "plan new": {
    about: "Write the skeleton of a new plan",
    load: async () => (await import("./plan-new.ts")).planNew,
  },
  "state init": {
    about: "Give a plan state: its steps, dependencies and checklists",
    load: async () => (await import("./state-init.ts")).stateInit,
  },
  "state claim": {
    about: AGENT_COMMANDS["state claim"].about,
    load: async () => (await import("./state-claim.ts")).stateClaim,
  },
  "state start": {
    about: AGENT_COMMANDS["state start"].about,
    load: async () => (await import("./state-start.ts")).stateStart,
  },
  "state heartbeat": {
    about: AGENT_COMMANDS["state heartbeat"].about,
    load: async () => (await import("./state-heartbeat.ts")).stateHeartbeat,
  },
  "state update": {
    about: AGENT_COMMANDS["state update"].about,
    load: async () => (await import("./state-update.ts")).stateUpdate,
  },
  "state artifact": {
    about: AGENT_COMMANDS["state artifact"].about,
    load: async () => (await import("./state-artifact.ts")).stateArtifact,
  },
  "state artifacts": {
    about: "Read the breadcrumbs of a step, with their content",
    load: async () => (await import("./state-artifacts.ts")).stateArtifacts,
  },
  "state complete": {
    about: AGENT_COMMANDS["state complete"].about,
    load: async () => (await import("./state-complete.ts")).stateComplete,
  },
  "state show": {
    about: "Progress of one plan, or of all",
    load: async () => (await import("./state-show.ts")).stateShow,
  },
  "state ready": {
    about: "What can be claimed, and what the other steps wait for",
    load: async () => (await import("./state-ready.ts")).stateReady,
  },
  "state list": {
    about: "Every plan that has state, with how far it is",
    load: async () => (await import("./state-list.ts")).stateList,
  },
  "state events": {
    about: "The journal: what changed, when, by whom",
    load: async () => (await import("./state-events.ts")).stateEvents,
  },
  "state release": {
    about: AGENT_COMMANDS["state release"].about,
    load: async () => (await import("./state-release.ts")).stateRelease,
  },
  "state reset": {
    about: "Put a step back to pending, whoever holds it",
    load: async () => (await import("./state-reset.ts")).stateReset,
  },
  "state hold": {
    about: "Keep a step from being handed out",
    load: async () => (await import("./state-hold.ts")).stateHold,
  },
  "state retry": {
    about: "Let a blocked or held-back step be claimed again",
    load: async () => (await import("./state-retry.ts")).stateRetry,
  },
  "state reopen": {
    about: "Take a completion back",
    load: async () => (await import("./state-reopen.ts")).stateReopen,
  },
  "state reconcile": {
    about: "Complete steps that commits prove to be done",
    load: async () => (await import("./state-reconcile.ts")).stateReconcile,
  },
  "state prune": {
    about: "Remove the state of plans whose file is gone",
    load: async () => (await import("./state-prune.ts")).statePrune,
  },
  "state restore": {
    about: "Bring back the state of a plan from a file that Pawl saved",
    load: async () => (await import("./state-restore.ts")).stateRestore,
  },
  "state migrate": {
    about: "Copy all state between the embedded database and a server",
    load: async () => (await import("./state-migrate.ts")).stateMigrate,
  },
  "snapshot take": {
    about: "Keep the uncommitted work of a worktree",
    load: async () => (await import("./snapshot-take.ts")).snapshotTake,
  },
  "snapshot list": {
    about: "The snapshots of uncommitted work",
    load: async () => (await import("./snapshot-list.ts")).snapshotList,
  },
  "snapshot show": {
    about: "What a snapshot holds",
    load: async () => (await import("./snapshot-show.ts")).snapshotShow,
  },
  "snapshot restore": {
    about: "Bring back what a snapshot holds, in place or in a new folder",
    load: async () => (await import("./snapshot-restore.ts")).snapshotRestore,
  },
  "snapshot drop": {
    about: "Remove a snapshot",
    load: async () => (await import("./snapshot-drop.ts")).snapshotDrop,
  },
  "worktree create": {
    about: "Give a plan a worktree and a branch of its own, or find them again",
    load: async () => (await import("./worktree-create.ts")).worktreeCreate,
  },
  "worktree list": {
    about: "Every worktree: its plan, who works there, what is unfinished",
    load: async () => (await import("./worktree-list.ts")).worktreeList,
  },
  "worktree merge": {
    about: "Bring a plan's branch to its base, whole or not at all",
    load: async () => (await import("./worktree-merge.ts")).worktreeMerge,
  },
  "worktree remove": {
    about: "Take a worktree down; what is unsaved is saved first",
    load: async () => (await import("./worktree-remove.ts")).worktreeRemove,
  },
  "worktree clean": {
    about: "Take down worktrees that are merged, interrupted, orphaned or old",
    load: async () => (await import("./worktree-clean.ts")).worktreeClean,
  },
  run: {
    about: "Drive agents through a plan: claim, work, verify, commit, complete",
    load: async () => (await import("./run.ts")).run,
  },
  resume: {
    about: "Go on where a run was interrupted",
    load: async () => (await import("./resume.ts")).resume,
  },
  improve: {
    about: "Review, implement and tidy up, again and again, without a plan",
    load: async () => (await import("./improve.ts")).improve,
  },
  verify: {
    about: "Verify a step now; what passes is committed and completed",
    load: async () => (await import("./verify.ts")).verify,
  },
  ui: {
    about: "Open a page that shows everything and lets you act",
    load: async () => (await import("./ui.ts")).ui,
  },
  status: {
    about: "What is going on: sessions, plans, what waits for a person",
    load: async () => (await import("./status.ts")).status,
  },
  "sessions list": {
    about: "Sessions, the interrupted ones with how to go on",
    load: async () => (await import("./sessions-list.ts")).sessionsList,
  },
  "sessions show": {
    about: "One session: what it was asked to do, and all it did",
    load: async () => (await import("./sessions-show.ts")).sessionsShow,
  },
  "sessions logs": {
    about: "The output of a session's agents",
    load: async () => (await import("./sessions-logs.ts")).sessionsLogs,
  },
  "sessions abandon": {
    about: "Decide that a session is not resumed; its work stays",
    load: async () => (await import("./sessions-abandon.ts")).sessionsAbandon,
  },
  "sessions clean": {
    about: "Abandon interrupted sessions that nobody came back to",
    load: async () => (await import("./sessions-clean.ts")).sessionsClean,
  },
  "sessions restore": {
    about: "Bring back the uncommitted work that a session left",
    load: async () => (await import("./sessions-restore.ts")).sessionsRestore,
  },
  commit: {
    about: AGENT_COMMANDS.commit.about,
    load: async () => (await import("./commit.ts")).commit,
  },
  recover: {
    about: "Find what a crash has left, repair what can be proven, ask about the rest",
    load: async () => (await import("./recover.ts")).recover,
  },
  explain: {
    about: AGENT_COMMANDS.explain.about,
    load: async () => (await import("./explain.ts")).explain,
  },
  doctor: {
    about: "Check git, the database, plans, sessions and worktrees",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  gc: {
    about: "Remove logs, kept refs, sessions and folders that finished work left behind",
    load: async () => (await import("./gc.ts")).gc,
  },
  completion: {
    about: "Print the completion script of a shell",
    load: async () => (await import("./completion.ts")).makeCompletion(COMMANDS),
  },
  prime: {
    about: "What an agent must know now, in at most 60 lines",
    load: async () => (await import("./prime.ts")).prime,
  },
  mcp: {
    about: "Serve the verbs of a worker to an agent, over the Model Context Protocol",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  hook: {
    about: "Answer an event of an agent's program; for its hooks, not for people",
    load: async () => (await import("./hook.ts")).hook,
  },
  "hooks install": {
    about: "Set an agent up to work with Pawl in this repository",
    load: async () => (await import("./hooks-install.ts")).hooksInstall,
  },
  "hooks uninstall": {
    about: "Take out what hooks install put in, and nothing else",
    load: async () => (await import("./hooks-uninstall.ts")).hooksUninstall,
  },
  "hooks status": {
    about: "Which agents are set up to work with Pawl here",
    load: async () => (await import("./hooks-status.ts")).hooksStatus,
  },
};
