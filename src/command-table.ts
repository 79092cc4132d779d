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
  init: { about: "Set up a repository: create the database and pawl.toml, list the plans" },
  demo: { about: "Create a repository to try Pawl in: a plan, and a script that plays the agent" },
  "plan check": {
    about: "Parse and lint a plan; print every problem with its line",
    tool: "pawl_plan_check",
  },
  "plan show": { about: "Show the plan as Pawl reads it" },
  "plan graph": { about: "Draw the dependency graph, for a terminal, as Mermaid or SVG" },
  "plan convert": { about: "Write a plan in another format, if nothing is lost" },
  "plan new": { about: "Write the skeleton of a new plan, or have an agent write it from a description" },
  "plan add": { about: "Add a step to the end of a plan, in the plan's own format" },
  "state init": { about: "Save a plan's steps, dependencies and checklists as state", tool: "pawl_claim" },
  "state claim": { about: "Get the next ready step, or the one you hold already", tool: "pawl_claim" },
  "state start": { about: "Begin work on a step you claimed", tool: "pawl_start" },
  "state heartbeat": { about: "Renew the lease of a step you hold" },
  "state update": { about: "Tick items of a step's checklist", tool: "pawl_update" },
  "state artifact": {
    about: "Attach a note to a step: strategy, verdict, summary",
    tool: "pawl_artifact",
  },
  "state artifacts": { about: "Read the notes of a step" },
  "state complete": { about: "Mark a step or substep as done", tool: "pawl_submit", exceptWith: "--force" },
  "state show": { about: "Show the progress of one plan, or of all", tool: "pawl_status" },
  "state ready": { about: "List what can be claimed, and what the other steps wait for", tool: "pawl_next" },
  "state list": { about: "List every plan that has state, with its progress", tool: "pawl_status" },
  "state events": { about: "Read the journal: what changed, when, by whom", tool: "pawl_status" },
  "state release": { about: "Release a claimed step", tool: "pawl_release", exceptWith: "--force" },
  "state reset": { about: "Put a step back to pending, even if a worker holds it" },
  "state hold": { about: "Put a step on hold, so that no worker claims it" },
  "state retry": { about: "Let a blocked step, or one on hold, be claimed again" },
  "state reopen": { about: "Reopen a completed step" },
  "state reconcile": { about: "Complete the steps that commits prove done" },
  "state prune": { about: "Remove the state of plans whose file is gone" },
  "state restore": { about: "Restore the state of a plan from a file that Pawl saved" },
  "state migrate": { about: "Copy all state between the embedded database and a server" },
  "snapshot take": { about: "Save the uncommitted work of a worktree" },
  "snapshot list": { about: "List the snapshots of uncommitted work" },
  "snapshot show": { about: "Show what a snapshot holds" },
  "snapshot restore": { about: "Restore a snapshot, in place or to a new folder" },
  "snapshot drop": { about: "Remove a snapshot" },
  "worktree create": { about: "Create a worktree and a branch for a plan, or find them again" },
  "worktree list": {
    about: "List every worktree: its plan, who works there, what is unfinished",
    tool: "pawl_status",
  },
  "worktree merge": { about: "Merge a plan's branch into its base, whole or not at all" },
  "worktree sync": { about: "Merge the base into a plan's branch, after verifying both together" },
  "worktree remove": { about: "Remove a worktree; unsaved work is saved first" },
  "worktree clean": { about: "Remove worktrees that are merged, interrupted, orphaned or old" },
  run: { about: "Run agents through a plan: claim, work, verify, commit, complete" },
  resume: { about: "Resume an interrupted run where it stopped" },
  tell: { about: "Send a message to the agent of a step" },
  improve: { about: "Review, implement and tidy up repeatedly, without a plan" },
  verify: {
    about: "Verify a step now; if it passes, commit and complete it",
    tool: "pawl_submit",
    exceptWith: "--force",
  },
  ui: { about: "Open a page that shows everything and lets you act" },
  status: {
    about: "Show what is running, the progress of each plan, and what needs a person",
    tool: "pawl_status",
  },
  report: { about: "Report what all plans did since yesterday: done, blocked, retries, time, cost, disk" },
  "sessions list": {
    about: "List sessions, with the command that resumes each interrupted one",
    tool: "pawl_status",
  },
  "sessions show": {
    about: "Show one session: what it was asked to do, and what it did",
    tool: "pawl_status",
  },
  "sessions logs": { about: "Print the output of a session's agents" },
  "sessions abandon": { about: "Abandon a session: it is not resumed, and its work stays" },
  "sessions clean": { about: "Abandon interrupted sessions that were never resumed" },
  "sessions restore": { about: "Restore the uncommitted work that a session left" },
  commit: {
    about: "Verify a step's work, commit it with trailers, and complete the step",
    tool: "pawl_submit",
    exceptWith: "--force",
  },
  recover: {
    about: "Find what a crash left, repair what is safe, ask about the rest",
    tool: "pawl_recover_report",
    exceptWith: "--fix",
  },
  explain: { about: "Explain why a step is in its state, and what you can do", tool: "pawl_explain" },
  doctor: {
    about: "Check git, the database, plans, sessions and worktrees",
    tool: "pawl_recover_report",
    exceptWith: "--fix",
  },
  agents: { about: "List which agents are installed, and what each may do" },
  gc: { about: "Remove logs, kept refs, sessions, worktrees and folders that finished work left behind" },
  completion: { about: "Print the completion script of a shell" },
  prime: { about: "Print what an agent must know now, in at most 60 lines" },
  mcp: { about: "Serve Pawl to an agent over the Model Context Protocol" },
  acp: { about: "Give an agent one prompt over the Agent Client Protocol; for runs, not for people" },
  hook: { about: "Answer an event of an agent's program; for its hooks, not for people" },
  "hooks install": { about: "Set an agent up to work with Pawl in this repository" },
  "hooks uninstall": { about: "Undo what hooks install wrote, and nothing else" },
  "hooks status": { about: "List which agents are set up to work with Pawl here" },
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
