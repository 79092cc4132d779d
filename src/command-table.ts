/** What is known of a command without loading it. */
interface CommandFacts {
  readonly about: string;
  /** The MCP tool that does the same. Agents obey hints, so a command without one is not named to them. */
  readonly tool?: `pawl_${string}`;
  /** With this option the command is for people all the same. */
  readonly exceptWith?: string;
}

/** Every command, in the order `pawl --help` lists them. */
export const COMMAND_TABLE = {
  init: { about: "Set up a repository: the database, pawl.toml, and which plans are there" },
  demo: { about: "Make a repository to try Pawl in: a plan, and a script that plays the agent" },
  "plan check": { about: "Parse and lint a plan; every problem with its line", tool: "pawl_plan_check" },
  "plan show": { about: "The plan as Pawl reads it" },
  "plan graph": { about: "The dependency graph, for a terminal, as Mermaid or SVG" },
  "plan convert": { about: "Write a plan in another format, where nothing is lost" },
  "plan new": { about: "Write the skeleton of a new plan, or have an agent write it from a description" },
  "plan add": { about: "Put one more step at the end of a plan, in the plan's own format" },
  "state init": { about: "Save a plan's steps, dependencies and checklists as state", tool: "pawl_claim" },
  "state claim": { about: "Get the next ready step, or the one you hold already", tool: "pawl_claim" },
  "state start": { about: "Begin work on a step you claimed", tool: "pawl_start" },
  "state heartbeat": { about: "Renew the lease of a step you hold" },
  "state update": { about: "Tick items of a step's checklist", tool: "pawl_update" },
  "state artifact": {
    about: "Leave a breadcrumb on a step: strategy, verdict, summary",
    tool: "pawl_artifact",
  },
  "state artifacts": { about: "Read the breadcrumbs of a step, with their content" },
  "state complete": { about: "Mark a step or substep as done", tool: "pawl_submit", exceptWith: "--force" },
  "state show": { about: "Progress of one plan, or of all", tool: "pawl_status" },
  "state ready": { about: "What can be claimed, and what the other steps wait for", tool: "pawl_next" },
  "state list": { about: "Every plan that has state, with how far it is", tool: "pawl_status" },
  "state events": { about: "The journal: what changed, when, by whom", tool: "pawl_status" },
  "state release": { about: "Give a claimed step back", tool: "pawl_release", exceptWith: "--force" },
  "state reset": { about: "Put a step back to pending, even if a worker holds it" },
  "state hold": { about: "Keep a step from being handed out" },
  "state retry": { about: "Let a blocked or held-back step be claimed again" },
  "state reopen": { about: "Take a completion back" },
  "state reconcile": { about: "Complete steps that commits prove to be done" },
  "state prune": { about: "Remove the state of plans whose file is gone" },
  "state restore": { about: "Bring back the state of a plan from a file that Pawl saved" },
  "state migrate": { about: "Copy all state between the embedded database and a server" },
  "snapshot take": { about: "Keep the uncommitted work of a worktree" },
  "snapshot list": { about: "The snapshots of uncommitted work" },
  "snapshot show": { about: "What a snapshot holds" },
  "snapshot restore": { about: "Bring back what a snapshot holds, in place or in a new folder" },
  "snapshot drop": { about: "Remove a snapshot" },
  "worktree create": { about: "Give a plan a worktree and a branch of its own, or find them again" },
  "worktree list": {
    about: "Every worktree: its plan, who works there, what is unfinished",
    tool: "pawl_status",
  },
  "worktree merge": { about: "Bring a plan's branch to its base, whole or not at all" },
  "worktree sync": { about: "Bring the base into a plan's branch, verified, so that both work together" },
  "worktree remove": { about: "Remove a worktree; unsaved work is saved first" },
  "worktree clean": { about: "Remove worktrees that are merged, interrupted, orphaned or old" },
  run: { about: "Drive agents through a plan: claim, work, verify, commit, complete" },
  resume: { about: "Resume an interrupted run where it stopped" },
  tell: { about: "Send a message to the agent of a step" },
  improve: { about: "Review, implement and tidy up, again and again, without a plan" },
  verify: {
    about: "Verify a step now; what passes is committed and completed",
    tool: "pawl_submit",
    exceptWith: "--force",
  },
  ui: { about: "Open a page that shows everything and lets you act" },
  status: {
    about: "What is running, how far each plan is, and what waits for a person",
    tool: "pawl_status",
  },
  report: { about: "What all plans did since yesterday: done, blocked, retries, time, cost, disk" },
  "sessions list": {
    about: "Sessions; of interrupted ones, the command that resumes them",
    tool: "pawl_status",
  },
  "sessions show": { about: "One session: what it was asked to do, and all it did", tool: "pawl_status" },
  "sessions logs": { about: "The output of a session's agents" },
  "sessions abandon": { about: "Decide that a session is not resumed; its work stays" },
  "sessions clean": { about: "Abandon interrupted sessions that were never resumed" },
  "sessions restore": { about: "Bring back the uncommitted work that a session left" },
  commit: {
    about: "Verify a step's work, commit it with trailers, and complete the step",
    tool: "pawl_submit",
    exceptWith: "--force",
  },
  recover: {
    about: "Find what a crash has left, repair what can be proven, ask about the rest",
    tool: "pawl_recover_report",
    exceptWith: "--fix",
  },
  explain: { about: "Why a step is in its state, and what can be done", tool: "pawl_explain" },
  doctor: {
    about: "Check git, the database, plans, sessions and worktrees",
    tool: "pawl_recover_report",
    exceptWith: "--fix",
  },
  agents: { about: "Which agents are installed, and what each may do" },
  gc: { about: "Remove logs, kept refs, sessions, worktrees and folders that finished work left behind" },
  completion: { about: "Print the completion script of a shell" },
  prime: { about: "What an agent must know now, in at most 60 lines" },
  mcp: { about: "Serve the verbs of a worker to an agent, over the Model Context Protocol" },
  acp: { about: "Give an agent one prompt over the Agent Client Protocol; for runs, not for people" },
  hook: { about: "Answer an event of an agent's program; for its hooks, not for people" },
  "hooks install": { about: "Set an agent up to work with Pawl in this repository" },
  "hooks uninstall": { about: "Take out what hooks install put in, and nothing else" },
  "hooks status": { about: "Which agents are set up to work with Pawl here" },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandName = keyof typeof COMMAND_TABLE;

/** The same for names that are looked up. */
export const COMMAND_FACTS: Readonly<Record<CommandName, CommandFacts>> = COMMAND_TABLE;

/** The command whose name a text begins with; the longest name wins. */
export function commandNamed(text: string): CommandName | undefined {
  const [first = "", second = ""] = text.split(" ");
  return [`${first} ${second}`, first].find((name) => Object.hasOwn(COMMAND_TABLE, name)) as
    | CommandName
    | undefined;
}
