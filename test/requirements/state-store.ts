import type { SourceDocument } from "./requirement.ts";

const STORE = "e2e/state-store";
const INIT = "e2e/state-init";
const CLAIM = "e2e/state-claim";
const COMPLETE = "e2e/state-complete";
const VIEWS = "e2e/state-views";
const LIFE = "e2e/step-lifecycle";
const WORKTREES = "e2e/worktrees";
const COMMIT = "e2e/commit";

// oxfmt-ignore
export const stateStore: SourceDocument = {
  title: "An embedded store for the state of plans",
  about: "Atomic claims, checklists, leases and progress for plans that several worktrees implement.",
  requirements: [
    // What it is kept with.
    ["State is kept in an embedded SQLite database; no server, no daemon, no other program", STORE, "opens a database in memory with the engine it ships with"],
    ["The database lies in one place for the main checkout and every worktree", STORE, "uses one database for the main checkout and every linked worktree"],
    ["The database is never committed", STORE, "keeps the database out of the work tree and out of reach of git clean"],
    ["`.gitignore` names the database's files", { why: "The database lies in git's own directory, where nothing can be committed, so no ignore rule is needed." }],
    ["Plans are hashed with SHA-256", STORE, "hashes a plan with SHA-256"],
    ["The same content has the same hash, other content another", STORE, "gives the same hash for the same content and another one for other content"],
    ["Write-ahead logging and a busy timeout are set", STORE, "has its indexes, write-ahead logging and foreign keys"],
    ["The schema has six tables: version, plans, steps, dependencies, items, artifacts", STORE, "has table %s with every column of version 1"],
    ["The schema has its five indexes", STORE, "has its indexes, write-ahead logging and foreign keys"],
    ["Opening creates the database; opening it again changes nothing", STORE, "creates the file with the current schema, and opening it again changes nothing"],
    ["The version of the schema is recorded and checked", STORE, "creates the file with the current schema, and opening it again changes nothing"],
    ["All times are ISO 8601", "e2e/version-1-database", "gets all its times in the one form, so that text order is time order"],
    ["The repository is found from any folder inside it", STORE, "finds the repository from any folder inside it"],
    ["A folder outside any repository is refused", STORE, "refuses a folder that is no git repository"],
    ["One function finds the repository for all commands", STORE, "finds the repository from any folder inside it"],
    // Statuses.
    ["A plan is active until its last step completes, then done", COMPLETE, "sets the plan to done with its last step"],
    ["A step goes from pending over claimed and in progress to completed, and no other way", "e2e/fencing", "rises with every claim, release and reset of the step, and with no other verb"],
    ["An item is open, in progress or completed", COMPLETE, "takes ordinals from 1 and stores them from 0"],
    // init
    ["`state init PLAN` saves steps, substeps, dependencies and items in one transaction", INIT, "saves every step, substep, dependency and item of a plan"],
    ["A second init changes nothing and says so", INIT, "changes nothing when called twice, and says that the plan has state already"],
    ["Steps and substeps are numbered in the order they are declared", INIT, "numbers steps and substeps in the order they are declared"],
    ["Ordinals are stored from 0 and shown from 1", INIT, "stores ordinals from 0 within each kind and shows them from 1"],
    ["Substeps name their step as parent", VIEWS, "nests substeps under their step"],
    ["Init prints its counts with `--json`", INIT, "prints one envelope with --json"],
    ["Any valid plan can be initialised", "e2e/formats", "a format"],
    // claim
    ["`state claim` takes the next ready step atomically", LIFE, "hands one step to exactly one of twelve worktrees"],
    ["The first ready step by index is claimed", CLAIM, "returns the first ready step by step_index"],
    ["A step whose dependency is open is not claimed", CLAIM, "does not return a step whose dependency is pending"],
    ["A step whose lease is over can be claimed", CLAIM, "reclaims a step whose lease is over and opens the items of its unfinished substeps"],
    ["A claim sets owner, time and lease, and clears heartbeat and start", "e2e/claim-and-release", "refreshes the lease with the duration of the new claim"],
    ["A claim takes the unfinished substeps with it", CLAIM, "gives pending substeps to the owner of their step"],
    ["A reclaim opens the items of unfinished substeps", CLAIM, "reclaims a step whose lease is over and opens the items of its unfinished substeps"],
    ["A reclaim leaves finished substeps and their items alone", CLAIM, "leaves finished substeps and their items alone when the step is reclaimed"],
    ["The answer has anchor, title, index, what is ready, what remains, lease and whether it was reclaimed", "e2e/output", "--json has every field of the contract, in snake_case, instants with milliseconds"],
    ["Nothing ready: the answer says whether all is completed or what is blocked", CLAIM, "says that all is completed when nothing is left"],
    ["A plan that was edited since init is noticed by the claim, with the change named", CLAIM, "takes over an edit of a step that has not started, and says so"],
    ["The lease lasts two hours unless another duration is given", CLAIM, "holds for two hours unless told otherwise"],
    ["Of two claims at once exactly one gets the step", LIFE, "hands one step to exactly one of twelve worktrees"],
    // start
    ["`state start` moves the claimer's step to in progress and sets the time", CLAIM, "lets the claimer start its step"],
    ["Start refuses another worktree", CLAIM, "refuses another worktree"],
    ["Start refuses a step that is not claimed", CLAIM, "refuses a step that is %s"],
    ["Ownership is compared inside the write itself", LIFE, "lets only the owner %s, however many processes of both try"],
    ["A substep belongs to the owner of its step", COMPLETE, "ticks items of a substep for the owner of the step"],
    // heartbeat
    ["`state heartbeat` extends the lease from now", CLAIM, "extends the lease by its duration from now"],
    ["Heartbeat refuses a worktree that did not claim", CLAIM, "refuses a worktree that did not claim the step"],
    ["Claim, start and heartbeat work in a row", CLAIM, "goes from claim over start to heartbeat"],
    // update
    ["`state update` changes one item by kind and ordinal", COMPLETE, "takes ordinals from 1 and stores them from 0"],
    ["`state update` changes all items of a kind, or all", COMPLETE, "understands %s"],
    ["Ordinals are given from 1", COMPLETE, "takes ordinals from 1 and stores them from 0"],
    ["Update refuses a worktree that did not claim", COMPLETE, "refuses a worktree that did not claim the step: %s"],
    ["Update refuses an edited plan", { why: "An edit stops no work: a claim takes over what has not started, and a claimed step keeps the text it was claimed with. Decision 35." }],
    ["An update happens whole or not at all", COMPLETE, "does all of it or nothing"],
    // artifact
    ["`state artifact` records kind and summary", COMPLETE, "records an artifact, with its full content from stdin"],
    ["The three kinds are known, others are refused", COMPLETE, "knows the kind %s"],
    ["The summary is cut to 500 characters", COMPLETE, "cuts the summary to 500 characters"],
    ["Artifact refuses a worktree that did not claim", COMPLETE, "refuses a worktree that did not claim the step"],
    // complete
    ["`state complete` needs all items completed", COMPLETE, "refuses open items and lists them"],
    ["`state complete` needs all substeps completed", COMPLETE, "refuses open substeps and lists them"],
    ["What is missing is listed", LIFE, "strict completion rejection lists what is missing, for people too"],
    ["A step is completed with its commit", COMPLETE, "completes a step whose items are all completed, with its commit"],
    ["By force a step is completed with a recorded reason", COMPLETE, "completes by force with a reason that is recorded"],
    ["By force open items and substeps are completed too", COMPLETE, "completes what is left of items and substeps by force"],
    ["A substep is asked for its own items only", COMPLETE, "asks a substep for its own items only"],
    ["Complete refuses another worktree, atomically", LIFE, "never lets an owner complete a step that another worktree takes at the same moment"],
    ["Complete refuses an edited plan", { why: "An edit stops no work: a claim takes over what has not started, and a claimed step keeps the text it was claimed with. Decision 35." }],
    ["The last completion sets the plan to done", COMPLETE, "sets the plan to done with its last step"],
    ["Update, artifact and complete work in a row", COMPLETE, "goes from update over artifact to complete"],
    // show, ready, reset, reconcile
    ["`state show` counts items by kind", VIEWS, "counts items by kind"],
    ["`state show` draws progress bars", "e2e/output", "draws a plan in every state, at 80 columns and without colour"],
    ["Substeps are nested under their step", VIEWS, "nests substeps under their step"],
    ["Steps completed by force are marked with the reason", VIEWS, "marks steps that were completed by force"],
    ["Leases and what a step waits for are shown", "e2e/output", "draws a plan in every state, at 80 columns and without colour"],
    ["Every plan is shown when none is named", VIEWS, "shows every plan when none is named"],
    ["`--json` has a documented structure", "e2e/output", "--json has every field of the contract, in snake_case, instants with milliseconds"],
    ["`state ready` lists ready, blocked, held and completed steps", VIEWS, "sorts steps into ready, blocked, held and completed"],
    ["`state ready` lists a step whose lease is over", VIEWS, "lists a step whose lease is over as one that can be claimed"],
    ["`state reset` puts a step back to pending and clears its claim", VIEWS, "puts a step back to pending and clears its claim"],
    ["`state reset` resets unfinished substeps and items", VIEWS, "resets unfinished substeps and their items too"],
    ["`state reset` refuses a completed step", VIEWS, "refuses a completed step"],
    ["`state reset` is for people and asks for no ownership", "e2e/agent-powers", "an agent changes no other step and does nothing that is for people, whatever it hides"],
    ["`state reconcile` completes steps that commits prove, and counts them", VIEWS, "completes steps that commits prove, and counts them"],
    ["A completed step with another commit is skipped, with both hashes", VIEWS, "skips a completed step whose commit differs and names both hashes"],
    ["By force the recorded commit is overwritten", VIEWS, "overwrites the recorded commit by force and skips nothing"],
    ["Reconcile restores a lost database from trailers", LIFE, "reconcile from git trailers after the database was lost"],
    ["Show, ready, reset and reconcile work in a row", VIEWS, "goes through show, ready, reset and reconcile"],
    // worktree create
    ["`worktree create` initialises the state and says so", WORKTREES, "gives a valid plan state and says so"],
    ["A failing init is a warning; the worktree is made", WORKTREES, "succeeds with state_initialized false when the state cannot be written"],
    ["`worktree create` is idempotent", WORKTREES, "finds the same worktree however often it is called, from anywhere"],
    // commit
    ["`commit` adds trailers with the step and the plan", COMMIT, "commits with trailers and completes the step with the commit"],
    ["Trailers that are there already are replaced, not repeated", COMMIT, "replaces trailers that the message has already, and keeps the others"],
    ["Other families of trailers are read and written", COMMIT, "writes the other family where history has it or the settings say so"],
    ["`commit` completes the step with the commit's hash", COMMIT, "commits with trailers and completes the step with the commit"],
    ["A commit whose step cannot be completed succeeds and says so", COMMIT, "succeeds even when the step cannot be completed, and completes it when called again"],
    ["Trailers are added for steps only", COMMIT, "commits with trailers and completes the step with the commit"],
    // doctor
    ["`doctor` passes without a database", VIEWS, "passes when there is no database yet"],
    ["`doctor` passes with a healthy one", VIEWS, "passes when the database is healthy"],
    ["`doctor` warns of plans whose file is gone", VIEWS, "warns when a plan's file is gone"],
    ["`doctor` fails on what is no database", VIEWS, "fails when the file is no database"],
    // lifecycle
    ["A plan goes through its full lifecycle", LIFE, "full lifecycle: init, claim, start, update all items, complete, show confirms done"],
    ["Dependencies hold steps back", LIFE, "multi-step plan: a step is blocked until the one it depends on is completed"],
    ["Substeps complete one by one, and their step needs all of them", LIFE, "substep tracking: substeps complete one by one, and their step needs all of them"],
    ["A lease that is over is reclaimed by another worktree", LIFE, "lease expiry and reclaim: another worktree gets the step, and the first owner is fenced off"],
    ["Completion by force shows its reason", LIFE, "force-complete with reason: the reason is shown and open items are completed"],
    ["The hash of the plan is enforced by claim, update and complete, and by no other verb", { why: "An edit stops no work: a claim takes over what has not started, and a claimed step keeps the text it was claimed with. Decision 35." }],
    ["What one worktree claimed, another cannot touch", LIFE, "ownership enforcement: what worktree A claimed, worktree B cannot touch"],
    ["Of several that race to start, update or complete, only the owner succeeds", LIFE, "lets only the owner %s, however many processes of both try"],
    ["A reset step can be claimed again", LIFE, "reset and reclaim: the step is pending, then anybody's"],
    ["Each refusal has a code of its own, E046 to E053", "e2e/bad-input", "bad input"],
    ["State of plans whose file is gone can be pruned", "e2e/operator-verbs", "removes the state of a plan whose file is gone, saves it first, and restore brings it back"],
    ["Several machines share state", "e2e/commit-postgres", "commits, completes, fails to complete and reconciles with the state on a server"],
    ["The earlier tracker of the same tool stays functional beside the new state", { why: "Pawl replaces the tracker and has none of its own; plans in its format are read (docs/plan-formats.md)." }],
    ["Crates, modules, symbols and compiler warnings of the implementation", { why: "They describe one implementation in Rust; Pawl is written in TypeScript and checked by `npm run check`." }],
    ["A variable makes init fail in tests", { why: "The same failure is provoked from outside, by a state folder that cannot be written." }],
  ],
};
