import { shellWord } from "./shell-word.ts";

/**
 * Every failure Pawl can report, in one table.
 *
 * A code is a promise: scripts and agents match on it, so it is never renamed or reused. E046 to E053 carry the
 * meaning they had in the format Pawl grew out of. The message is for people and may change. A hint names the next
 * thing to try and is never destructive, because agents obey hints.
 */
// oxfmt-ignore
export const ERRORS = {
  "store/open-failed":        { code: "E046", kind: "environment", hint: "Run `pawl doctor` to see what is wrong with the database." },
  "store/query-failed":       { code: "E047", kind: "environment", hint: "Run `pawl doctor` to see what is wrong with the database." },
  "plan/changed":             { code: "E048", kind: "conflict",    hint: "The next claim takes over new steps and edits of steps that have not started. For people: `pawl recover <plan>` asks about the rest." },
  "claim/not-owner":          { code: "E049", kind: "conflict",    hint: "Run `pawl state show <plan>` to see who holds the step; claim a step of your own with `pawl state claim <plan>`." },
  "step/wrong-status":        { code: "E050", kind: "conflict",    hint: "Run `pawl explain <plan> <step>` to see the step's status and what you can do." },
  "step/items-open":          { code: "E051", kind: "failed",      hint: "Finish the open items, then tick each one, such as `pawl state update <plan> <step> --task 1 completed`, or mark it deferred with a reason." },
  "step/substeps-open":       { code: "E052", kind: "failed",      hint: "Complete the open substeps first; `pawl explain <plan> <step>` names them." },
  "claim/nothing-ready":      { code: "E053", kind: "waiting",     hint: "Wait for a step to finish, or run `pawl state ready <plan>` to see what each step waits for." },
  "plan/not-found":           { code: "E054", kind: "user",        hint: "Check the path; `pawl state list` shows the plans that have state." },
  "plan/not-a-file":          { code: "E055", kind: "user",        hint: "Name a regular file." },
  "plan/too-large":           { code: "E056", kind: "user",        hint: "Split the plan into smaller ones." },
  "plan/invalid":             { code: "E057", kind: "failed",      hint: "Run `pawl plan check <plan>` to see every problem with its line." },
  "plan/outside-repository":  { code: "E058", kind: "user",        hint: "Put the plan inside the repository, or change to the repository it belongs to." },
  "plan/not-initialised":     { code: "E059", kind: "environment", hint: "Run `pawl state init <plan>` first." },
  "step/unknown":             { code: "E060", kind: "user",        hint: "Run `pawl state show <plan>` to see the steps." },
  "item/unknown":             { code: "E061", kind: "user",        hint: "Run `pawl plan show <plan> --step <step>` to see the items and their ordinals, which start at 1." },
  "item/unknown-status":      { code: "E062", kind: "user",        hint: "Use open, in_progress, completed or deferred." },
  "artifact/unknown-kind":    { code: "E063", kind: "user",        hint: "Use architect_strategy, reviewer_verdict or auditor_summary." },
  "worktree/not-found":       { code: "E064", kind: "user",        hint: "Run `git worktree list` to see the worktrees of this repository." },
  "repository/not-found":     { code: "E065", kind: "environment", hint: "Change into a git repository, or create one with `git init`. If there should be one, `git status` says what is wrong." },
  "usage/wrong":              { code: "E066", kind: "user",        hint: "Run `pawl <command> --help` to see how it is used." },
  "store/newer":              { code: "E067", kind: "environment", hint: "Update Pawl on this machine; the database stays as it is." },
  "store/corrupt":            { code: "E068", kind: "environment", hint: "Leave the file as it is and ask the person in charge. docs/recovery-by-hand.md shows how to start a new database from the commits." },
  "store/replaced":           { code: "E069", kind: "environment", hint: "Something moved, replaced or removed the database while it was open. Run the command again; if the database is gone, the answer names the command that restores its steps from git." },
  "store/parted":             { code: "E381", kind: "environment", hint: "Ask the person in charge to end the programs that have it open, such as `pawl ui`, `pawl mcp` and `pawl run`, normally and not by force: they save what they wrote when they end. Then run the command again." },
  "store/read-only":          { code: "E070", kind: "environment", hint: "Get permission to write there, then run the command again; `pawl doctor` names every place." },
  "store/full":               { code: "E071", kind: "environment", hint: "Free some disk space and run the command again; nothing was changed." },
  "store/network":            { code: "E072", kind: "environment", hint: "Set PAWL_STATE_DIR to a folder on a local disk. In WSL, keep the repository in your home folder and not below /mnt/c." },
  "store/engine-too-old":     { code: "E073", kind: "environment", hint: "Update Node.js or reinstall Pawl." },
  "store/busy":               { code: "E074", kind: "conflict",    hint: "Another process is writing. Run the command again." },
  "claim/held-by-live-session": { code: "E075", kind: "conflict",  hint: "Wait until that session ends, or claim from a worktree of your own." },
  "claim/fenced-off":         { code: "E076", kind: "conflict",    hint: "Stop working on this step and leave your files as they are; `pawl explain <plan> <step>` shows who took over." },
  "operator/inside-session":  { code: "E077", kind: "conflict",    hint: "This verb is for people. Report what you need instead of calling it." },
  "request/reused":           { code: "E078", kind: "user",        hint: "Use a new request id for a different call." },
  "step/dependencies-open":   { code: "E079", kind: "conflict",    hint: "Complete the steps it waits for first; `pawl state ready <plan>` lists what can be claimed now." },
  "item/ambiguous":           { code: "E080", kind: "user",        hint: "Use more of the item's text, or its ordinal." },
  "reason/required":          { code: "E081", kind: "user",        hint: "Say why with --reason." },
  "commit/invalid":           { code: "E082", kind: "user",        hint: "Give a commit that is here, such as HEAD, or the hash of one." },
  "store/missing":            { code: "E083", kind: "environment", hint: "For people: put the database file back, or set PAWL_DATABASE_URL if the state is on a server. If it is lost, `pawl init`, then `pawl state reconcile PLAN` for each plan restore the steps from git. `pawl` names the plans; docs/recovery-by-hand.md has each command." },
  "file/exists":              { code: "E084", kind: "user",        hint: "Choose another name." },
  "git/stopped":              { code: "E402", kind: "environment", hint: "Nothing was decided, and no attempt was counted. Run the same command again. For people: `pawl resume` continues a run that this ended." },
  "git/failed":               { code: "E085", kind: "environment", hint: "Run `pawl doctor` to check git and the repository." },
  "backup/unusable":          { code: "E086", kind: "user",        hint: "Name a file that Pawl wrote when it saved a plan's state." },
  "plan/in-use":              { code: "E087", kind: "conflict",    hint: "Wait until its steps are finished or released." },
  "store/unreachable":        { code: "E088", kind: "environment", hint: "Check that the database server runs and that PAWL_DATABASE_URL names it; then run the command again." },
  "store/outcome-unknown":    { code: "E089", kind: "environment", hint: "Repeat the call with the same --request-id: it takes effect once, whether or not the first call did." },
  "repository/unidentified":  { code: "E090", kind: "environment", hint: "Make a first commit, or set PAWL_REPOSITORY_ID to the same name on every machine." },
  "settings/invalid":         { code: "E091", kind: "user",        hint: "Correct pawl.toml; docs/configuration.md lists every setting." },
  "store/not-empty":          { code: "E092", kind: "conflict",    hint: "Choose an empty target; nothing was copied." },
  "session/over":             { code: "E093", kind: "conflict",    hint: "Your session has ended. Stop; your supervisor starts a new one." },
  "system/refused":           { code: "E094", kind: "environment", hint: "Check the file and its permissions, then run the command again." },
  "internal/bug":             { code: "E099", kind: "internal",    hint: "This is a bug in Pawl. Nothing was left half done; please report it with these details." },
  "git/busy":                 { code: "E100", kind: "conflict",    hint: "Let the other git command finish, then run the command again." },
  "git/lock-left":            { code: "E410", kind: "environment", hint: "There is nothing left to do. The named file holds what that git command had written." },
  "git/unreadable":           { code: "E411", kind: "environment", hint: "Nothing was changed. Make the named file readable for this user, or free memory and open files; then run the command again." },
  "git/too-old":              { code: "E101", kind: "environment", hint: "Update git; `pawl doctor` says which version each feature needs." },
  "worktree/no-base":         { code: "E102", kind: "user",        hint: "Switch to a branch with `git switch`, or name the branch to start from: base_branch in pawl.toml, or --base of `pawl worktree create`." },
  "worktree/in-the-way":      { code: "E103", kind: "conflict",    hint: "Choose another name with --name, or move what is in the way." },
  "worktree/in-use":          { code: "E104", kind: "conflict",    hint: "Wait until the work there is finished or released; `pawl worktree list` shows who holds it." },
  "worktree/locked":          { code: "E105", kind: "conflict",    hint: "Ask the person who locked it; `git worktree list --verbose` shows the reason." },
  "worktree/not-savable":     { code: "E106", kind: "conflict",    hint: "Move what cannot be saved out of the worktree first." },
  "worktree/changing":        { code: "E107", kind: "conflict",    hint: "Stop the program that still writes there, then run the command again. What was there is saved." },
  "worktree/busy":            { code: "E108", kind: "conflict",    hint: "Another Pawl command uses it. Run the command again when that one has ended." },
  "worktree/set-up-failed":   { code: "E109", kind: "failed",      hint: "Fix worktree_setup in pawl.toml, or the program that it runs, then run the same command again." },
  "merge/conflicts":          { code: "E110", kind: "conflict",    hint: "Nothing was merged. A person merges the base into the branch in one of its worktrees, resolves the conflicts there and commits; then run the command again." },
  "merge/in-the-way":         { code: "E111", kind: "conflict",    hint: "Commit or move the named files, then run the command again." },
  "merge/not-fast-forward":   { code: "E112", kind: "conflict",    hint: "Leave out --ff-only to make a merge commit." },
  "merge/refused":            { code: "E113", kind: "failed",      hint: "Nothing was merged. Fix what the hook or git reports, then run the command again." },
  "branch/steps-missing":     { code: "E114", kind: "decision",    hint: "Nothing was merged. For people: `pawl recover` restores the steps to the branch, or asks what to do with them." },
  "snapshot/not-found":       { code: "E120", kind: "user",        hint: "Run `pawl snapshot list` to see the snapshots of this repository." },
  "snapshot/ambiguous":       { code: "E121", kind: "user",        hint: "Use more of its name, as `pawl snapshot list` prints it." },
  "snapshot/other-head":      { code: "E122", kind: "decision",    hint: "Inspect it with `pawl snapshot restore <name> --to DIR`, or restore only the files with --files-only." },
  "snapshot/unstable":        { code: "E123", kind: "conflict",    hint: "A program writes to the worktree. Run the command again when it has ended; what was saved is kept." },
  "snapshot/unreadable":      { code: "E124", kind: "environment", hint: "Make the file readable, and run the command again; nothing was changed." },
  "snapshot/in-the-way":      { code: "E125", kind: "decision",    hint: "Move it elsewhere, or inspect the snapshot with `pawl snapshot restore <name> --to DIR`." },
  "snapshot/incomplete":      { code: "E126", kind: "environment", hint: "Run `git fsck` to see what the repository has lost." },
  "commit/nothing":           { code: "E130", kind: "failed",      hint: "Change something first, or pass --allow-empty if the step needs no change." },
  "commit/refused":           { code: "E131", kind: "failed",      hint: "Fix what git or the hook reports and run the same command again; you still hold the step." },
  "commit/left-behind":       { code: "E348", kind: "decision",    hint: "The files are kept. Name the paths of your own work to commit only those, and ask the person about the others. You still hold the step." },
  "commit/hollow-repository": { code: "E365", kind: "failed",      hint: "Commit inside that folder, or move its .git elsewhere so that its files belong to this repository. You still hold the step." },
  "commit/nested-repository": { code: "E407", kind: "failed",      hint: "Move its .git folder out of this worktree so that its files belong to this repository, or add it with `git submodule add`. You still hold the step." },
  "commit/not-addable":       { code: "E408", kind: "failed",      hint: "Correct the file that git names, or add it to .gitignore if it does not belong to the step. You still hold the step." },
  "commit/not-signed":        { code: "E409", kind: "environment", hint: "Ask the person in charge to make signing work (`git config --get gpg.program`, `gpg --list-secret-keys`), then run the same command again; you still hold the step." },
  "commit/unclear":           { code: "E132", kind: "decision",    hint: "Read the newest commits with `git log`, then complete the step with the right one: `pawl state complete <plan> <step> --commit HASH`." },
  "plan/name-unwritable":     { code: "E382", kind: "user",        hint: "Rename the file: the commits of its steps carry its name, and this name does not fit into one line." },
  "plan/done-in-git":         { code: "E387", kind: "conflict",    hint: "Run `pawl state reconcile` for the plan: it gives the plan state and completes what git proves. For people: `pawl state init --afresh` starts with every step open instead, and removes nothing." },
  "plan/file-behind":         { code: "E140", kind: "environment", hint: "Nothing is lost. Correct the file or move it away; the next command or `pawl doctor --fix` then brings it up to date." },
  "agent/not-found":          { code: "E160", kind: "environment", hint: "Install the agent, or name its program in pawl.toml; `pawl agents` lists those that are installed." },
  "agent/unknown":            { code: "E161", kind: "user",        hint: "Use one of the agents in docs/configuration.md, or `command` for any other program." },
  "agent/not-startable":      { code: "E162", kind: "environment", hint: "Check that the program is executable and that its folder exists; then run the command again." },
  "agent/settings-unreadable": { code: "E480", kind: "user",       hint: "Correct the agent's `args` in pawl.toml: JSON as it is, or the path of a file that holds it." },
  "run/log-failed":           { code: "E163", kind: "environment", hint: "Check that the state folder is writable and has room; then run the command again." },
  "workflow/unknown":         { code: "E164", kind: "user",        hint: "Use a workflow of pawl.toml or one of the built-in ones: implement, review, improve." },
  "prompt/invalid":           { code: "E165", kind: "user",        hint: "Correct the template; docs/configuration.md lists what may stand between {{ and }}." },
  "run/no-plan":              { code: "E166", kind: "decision",    hint: "Name the plan: `pawl run <plan>`." },
  "run/no-agent":             { code: "E167", kind: "user",        hint: "Name one, such as --agent claude, or set `agent` in pawl.toml; any program works after `--`. `pawl agents` lists those that are installed." },
  "run/not-stopped":          { code: "E168", kind: "decision",    hint: "Ask the person in charge to check the named processes. Pawl starts nothing else in that worktree while they run." },
  "landing/unverified":       { code: "E430", kind: "conflict",    hint: "Its commit is kept. For people: `pawl run <plan>` verifies the step together with what landed, and then lands it." },
  "landing/rejected":         { code: "E431", kind: "failed",      hint: "Make the work pass together with what landed meanwhile; `pawl explain <plan> <step>` shows what failed." },
  "merge/rejected":           { code: "E432", kind: "failed",      hint: "Nothing was merged. Bring the base into the plan's branch, fix the work there, then merge again. For people: `pawl worktree sync <plan>` checks whether both work together; `pawl worktree merge <plan> --unverified REASON` merges without the check and records that." },
  "merge/cut-off":            { code: "E433", kind: "waiting",     hint: "Nothing was merged. Run the same command again." },
  "full/revert-conflicts":    { code: "E440", kind: "conflict",    hint: "Nothing was reverted. For people: `pawl recover` has other choices, such as letting its agent fix the step." },
  "full/revert-rejected":     { code: "E441", kind: "failed",      hint: "Nothing was reverted. For people: `pawl recover` has other choices, such as letting its agent fix the step." },
  "full/cut-off":             { code: "E442", kind: "waiting",     hint: "Nothing was changed. Run the same command again." },
  "landing/overtaken":        { code: "E450", kind: "conflict",    hint: "Nothing is lost: Pawl verifies the step together with what landed, and then lands it." },
  "remote/unreachable":       { code: "E451", kind: "environment", hint: "Its verified work is kept and lands when the remote answers again. For people: `git ls-remote` shows whether it does; then `pawl run <plan>`." },
  "remote/refused":           { code: "E452", kind: "decision",    hint: "Its verified work is kept. For people: read the server's message, change its rules or the plan's branch there, then `pawl state retry <plan> <step>`." },
  "sync/conflicts":           { code: "E434", kind: "conflict",    hint: "Nothing was merged. A person merges the base into the plan's branch in a worktree of it (`pawl worktree create <plan>`), resolves the conflicts there and commits; later steps then build on both." },
  "sync/rejected":            { code: "E435", kind: "conflict",    hint: "Nothing was merged. Let a step of the plan make both work together, then run the command again. For people: `pawl worktree merge` refuses until they do." },
  "sync/not-checkable":       { code: "E436", kind: "conflict",    hint: "Nothing was merged. Let worktree_setup in pawl.toml install what the check needs, or .worktreeinclude copy it. For people: `pawl worktree sync <plan>` then brings the base in." },
  "request/no-service":       { code: "E453", kind: "user",        hint: "Set `remote` in pawl.toml to a remote on GitHub or GitLab, or name the program with `publish_with`." },
  "request/tool-failed":      { code: "E454", kind: "environment", hint: "Work continues without the request. For people: `gh auth status` or `glab auth status` says whether the program can reach the service." },
  "run/tree-changed":         { code: "E169", kind: "conflict",    hint: "The files changed after they were verified. Pawl verifies them again before it completes the step." },
  "run/worktree-in-use":      { code: "E170", kind: "conflict",    hint: "Wait until that session ends, or leave out --worktree: each run then uses a worktree of its own." },
  "session/unknown":          { code: "E171", kind: "user",        hint: "Run `pawl sessions list` to see the sessions of this repository." },
  "session/alive":            { code: "E172", kind: "conflict",    hint: "It is still running: watch it with `pawl status`, or stop it where it runs." },
  "session/not-resumable":    { code: "E173", kind: "decision",    hint: "Start a new run with `pawl run <plan>`: completed steps are never redone." },
  "session/none":             { code: "E174", kind: "waiting",     hint: "Nothing was interrupted here. Run `pawl` to see what comes next, or start a run with `pawl run <plan>`." },
  "session/mismatch":         { code: "E175", kind: "decision",    hint: "Correct what differs, or pass --anyway to continue from the files as they are now." },
  "run/needs-steps":          { code: "E176", kind: "user",        hint: "Use `pawl improve` for a workflow that needs no plan, and `pawl run` for one that works step by step." },
  "merge/unfinished":         { code: "E180", kind: "conflict",    hint: "For people: keep a copy of your changes to the named files, then restore those files as git has them (move files that git does not know). After that, `pawl worktree merge` continues where it was interrupted." },
  "merge/taken-back":         { code: "E181", kind: "conflict",    hint: "Check the named files with `git diff`: they hold changes of that merge and others. Then merge again." },
  "merge/unreadable":         { code: "E182", kind: "conflict",    hint: "For people: check the changes there with `git diff` and keep those that are yours. Then move the named folder away and merge again." },
  "merge/overtaken":          { code: "E366", kind: "conflict",    hint: "For people: check what is staged in the named folder before you commit there." },
  "planner/gave-up":          { code: "E200", kind: "decision",    hint: "Read what is wrong, check the planner's log with `pawl sessions logs`, then write the plan by hand or try again." },
  "planner/stopped":          { code: "E201", kind: "waiting",     hint: "Nothing was changed. Try again when the agent can work." },
  "step/cannot-break-down":   { code: "E202", kind: "failed",      hint: "Break it down by hand: write its substeps into the plan and commit it." },
  "step/cannot-add":          { code: "E203", kind: "failed",      hint: "Write the step into the plan with an editor, check it with `pawl plan check`, and commit it." },
  "run/build-exists":         { code: "E221", kind: "decision",    hint: "A person decides: --auto-continue continues it, --existing takes continue, review, merge or fresh. Nothing is lost either way." },
  "run/build-uncommitted":    { code: "E222", kind: "decision",    hint: "Commit those changes, or continue with one worker, which uses that worktree." },
  "plan/would-lose":          { code: "E223", kind: "decision",    hint: "Choose another format, or accept the loss with --lossy; the plan itself stays as it is." },
  "library/closed":           { code: "E224", kind: "user",        hint: "Open Pawl again with openPawl() and use the new one." },
  "action/stale":             { code: "E240", kind: "conflict",    hint: "Nothing was done. Check the current state, then decide again." },
  "ui/read-only":             { code: "E241", kind: "conflict",    hint: "This page is read-only. Start `pawl ui` without --read-only to act." },
  "ui/wrong-host":            { code: "E242", kind: "user",        hint: "Open the address exactly as `pawl ui` printed it." },
  "ui/wrong-origin":          { code: "E243", kind: "user",        hint: "Only the page that `pawl ui` serves may call it." },
  "ui/no-token":              { code: "E244", kind: "user",        hint: "Open the link that `pawl ui` printed; each link works once." },
  "ui/not-found":             { code: "E245", kind: "user",        hint: "docs/ui.md lists the calls." },
  "ui/wrong-method":          { code: "E246", kind: "user",        hint: "docs/ui.md lists the calls and their methods." },
  "ui/not-json":              { code: "E247", kind: "user",        hint: "Send one JSON object, as application/json." },
  "ui/too-large":             { code: "E248", kind: "user",        hint: "Send less at once." },
  "ui/too-many":              { code: "E249", kind: "waiting",     hint: "Wait a moment, then try again." },
  "ui/unknown-action":        { code: "E250", kind: "user",        hint: "docs/ui.md lists the actions." },
  "ui/not-possible":          { code: "E251", kind: "conflict",    hint: "Check the current state; the page offers what can be done." },
  "ui/not-served":            { code: "E252", kind: "environment", hint: "Choose another port with --port, or leave it out." },
  "ui/incomplete":            { code: "E253", kind: "environment", hint: "Install Pawl again: the files of the page are missing." },
  "desk/no-step":             { code: "E260", kind: "user",        hint: "Claim a step first with pawl_claim." },
  "desk/one-step":            { code: "E261", kind: "conflict",    hint: "Submit the step you hold, or release it with pawl_release, before you claim another." },
  "desk/which-plan":          { code: "E262", kind: "user",        hint: "Name the plan; pawl_status lists those that have state." },
  "desk/too-fast":            { code: "E263", kind: "conflict",    hint: "Wait as long as retry_after_ms says, then call again." },
  "desk/left-behind":         { code: "E347", kind: "decision",    hint: "The files stay where they are. Ask the person what to do with them, and claim again once they are committed or moved away. If that step is free again, claim it by name and continue with them." },
  "desk/supervised":          { code: "E264", kind: "conflict",    hint: "Continue with the step you were given; your supervisor assigns the next one." },
  "hooks/link":               { code: "E345", kind: "user",        hint: "Nothing was changed. Make the link point to a settings file of the same kind." },
  "hooks/rewritten":          { code: "E346", kind: "user",        hint: "Nothing was changed. Open the file and take out the entry named pawl." },
  "hooks/unreadable":         { code: "E270", kind: "user",        hint: "Nothing was changed. Fix the file, then run the command again." },
  "store/moved":              { code: "E280", kind: "environment", hint: "Name the server in PAWL_DATABASE_URL, or as database_url in pawl.toml. For people: `pawl state migrate --from postgres --to sqlite` moves it back; docs/many-machines.md says what to do if the server is lost." },
  "verify/moved-on":          { code: "E281", kind: "decision",    hint: "Ask the person in charge to have the step done again, or to restore its work (`pawl snapshot list`) and name the worktree that holds it with --worktree." },
  "run/worktree-dirty":       { code: "E282", kind: "decision",    hint: "Commit them, or leave out --worktree: the run then uses worktrees of its own." },
  "worktree/not-movable":     { code: "E283", kind: "environment", hint: "Nothing was lost. A person moves what is there to another place, then runs the command again." },
  "commit/partly-verified":   { code: "E292", kind: "user",        hint: "Leave the paths out, or name every changed path; add files that are not part of the step to .gitignore. Then run the command again: you still hold the step." },
  "step/being-verified":      { code: "E293", kind: "waiting",     hint: "Wait until that verification has ended, then run the same command again." },
  "worktree/half-made":       { code: "E300", kind: "environment", hint: "A person moves the half-made entry away; the message names it." },
  "merge/unrelated":          { code: "E301", kind: "environment", hint: "Check that the plan's branch was made from this base; `pawl worktree list` names both." },
  "run/branch-lost":          { code: "E310", kind: "decision",    hint: "Restore it where its work is with `git branch <branch> <commit>` (fetch it first if another clone has it), then run again. If it is lost for good, a person decides whether the steps are done again." },
  "run/no-identity":          { code: "E312", kind: "user",        hint: "Nothing was started. Tell git who you are: `git config user.name NAME` and `git config user.email ADDRESS`; then run again." },
  "session/elsewhere":        { code: "E320", kind: "conflict",    hint: "Resume it on the machine where it ran: its worktree and uncommitted work are there. `pawl run` continues the free steps here." },
  "store/moved-away":         { code: "E321", kind: "environment", hint: "Work where the state is now. For people: `pawl state migrate --from sqlite --to postgres`, run there, moves it to the server again; if that place is lost, docs/many-machines.md says what to do." },
  "operator/beside-agent":    { code: "E397", kind: "conflict",    hint: "Agents: report what you need instead. People: run the command from another folder, such as the top of the repository, and name no worktree that an agent works in." },
  "session/not-yours":        { code: "E398", kind: "conflict",    hint: "Write only to the step you were given: leave out --worktree, and do not change your environment variables." },
  "branch/damaged":           { code: "E419", kind: "decision",    hint: "If another clone or a backup has the commits, a person fetches them from there; `pawl recover` then finds the branch intact, or asks what to do with it." },
  "plan/uncommitted":         { code: "E494", kind: "conflict",    hint: "For people: commit the plan to make its changes count, or accept them now with `pawl recover <plan>`." },
  "plan/ambiguous":           { code: "E495", kind: "user",        hint: "Name the folder in full, such as `001-shop`." },
  "message/invalid":          { code: "E490", kind: "user",        hint: "Write what the agent should know in a few sentences; for more, name a file." },
  "message/step-completed":   { code: "E491", kind: "conflict",    hint: "Send it to a step that is still open; `pawl state show` lists them." },
  "message/which-plan":       { code: "E492", kind: "user",        hint: "Name the plan with --plan." },
  "import/unreadable":        { code: "E500", kind: "environment", hint: "The file stays as it is. Let the tool that wrote it finish, or check it with that tool; then import again." },
  "message/no-step":          { code: "E493", kind: "conflict",    hint: "Name the step instead: its next agent gets the message. `pawl status` shows who works on what." },
  "init/left":                { code: "E515", kind: "waiting",     hint: "For people: run `pawl init` again, or `pawl init --yes` to accept what it found." },
  "platform/unsupported":     { code: "E525", kind: "environment", hint: "Install WSL 2, then Node 20.19 or newer and git inside it, keep the repository on its own disk, and work there; docs/troubleshooting.md says more." },
  "store/no-driver":          { code: "E526", kind: "environment", hint: "Use Node 24 or newer, which has SQLite built in." },
  "plan/kept-by-another":     { code: "E530", kind: "user",        hint: "Convert it once with `pawl plan convert <plan> --to headed --lossy --output plan.md`, then run that plan." },
} as const satisfies Record<`${string}/${string}`, ErrorSpec>;

interface ErrorSpec {
  readonly code: `E${number}`;
  readonly kind: ErrorKind;
  readonly hint: string;
}

/** Who must act, or what happened: it decides the exit code. */
export type ErrorKind = "failed" | "user" | "environment" | "conflict" | "decision" | "waiting" | "internal";

/** Exit codes are a contract with scripts. */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  user: 2,
  environment: 3,
  conflict: 4,
  decision: 5,
  waiting: 6,
  internal: 70,
};

export type ErrorName = keyof typeof ERRORS;

export type Details = Readonly<Record<string, unknown>>;

/** The commands that a hint names, with the plan and the step they are about where those are known. */
function addressed(hint: string, { plan_path: plan, anchor }: Details): string {
  if (typeof plan !== "string") return hint;
  const named = hint.replaceAll("<plan>", () => shellWord(plan));
  return typeof anchor === "string" ? named.replaceAll("<step>", () => shellWord(anchor)) : named;
}

export class Failure extends Error {
  override readonly name = "Failure";
  readonly problem: ErrorName;
  readonly details: Details;
  readonly hint: string;

  constructor(
    problem: ErrorName,
    message: string,
    details: Details = {},
    options: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.problem = problem;
    this.details = details;
    this.hint = options.hint ?? addressed(ERRORS[problem].hint, details);
  }

  get code(): string {
    return ERRORS[this.problem].code;
  }

  get kind(): ErrorKind {
    return ERRORS[this.problem].kind;
  }
}

/** For `catch`: what was foreseen counts as nothing, and a bug of ours stays one. */
export function orNothing(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}
