/** Something that people may rely on, whatever happens. */
export interface Guarantee {
  /** Cited by the tests that prove it: a comment `proves G-…` above them. */
  readonly id: `G-${string}`;
  /** What may happen, in the words of the one it happens to. */
  readonly when: string;
  readonly holds: string;
  /** What is not promised, although people might expect it. */
  readonly but: string;
}

/** One row each. A test refuses a row that no test proves, and a proof of something that stands in no row. */
// oxfmt-ignore
export const GUARANTEES: readonly Guarantee[] = [
  { id: "G-never-completed-twice",      when: "processes claim and complete at once, sixty-four too",               holds: "each gets a step of its own or the reason why not, and a step has one recorded completion",
    but: "a program that ignores its lost claim can still burn time: two agents may run on one step, one of them counts" },
  { id: "G-no-acked-write-lost",        when: "`kill -9`, a full disk, a crash at any moment",                      holds: "what was answered is there afterwards; what was not answered happened whole or not at all",
    but: "an agent's last lines of output can be missing from its log; while a disk is full the run stops with the reason, and `pawl resume` continues it once there is room" },
  { id: "G-power-cut-keeps-answers",    when: "the power fails at any moment",                                      holds: "completed steps keep every byte of their commits, also of objects that an agent's git wrote; a file that became empty or cut short is restored and reported, never committed as work",
    but: "what an agent wrote since the last checkpoint may be lost or empty, as with any program; where the system cannot say whether a disk was unmounted since (macOS, a container's own layer, btrfs), also a file that an agent emptied itself before a `kill -9` is restored, and the message names the snapshot that has it empty; tested on ext4; a disk that lies about flushes keeps nothing" },
  { id: "G-no-uncommitted-work-lost",   when: "a worktree is removed, reset, cleaned or taken over",                holds: "commits and files that git does not ignore are saved under `refs/pawl/` first, and the way back is printed",
    but: "ignored files go with a removed worktree unless `snapshot_ignored` is set; they are counted. What is written after the last look stays beside it; only one that is a mount git removes itself, with what comes in that instant" },
  { id: "G-dead-owner-found-at-once",   when: "a supervised worker dies",                                           holds: "the next claim takes its step over at once, without waiting for a lease",
    but: "a claim made by hand has no process that watches over it: it ends by release, completion or lease, or with its worktree" },
  { id: "G-late-owner-changes-nothing", when: "a worker sleeps through its lease and wakes up, or a step is held or taken while it commits", holds: "its number is old: its writes change nothing, no branch of the plan keeps its commit, and the commit is kept under `refs/pawl/late/`",
    but: "a commit that it made on a branch of a person's own stays there" },
  { id: "G-clock-robs-no-owner",        when: "the clock jumps by a day, or ten years; the machine reboots",        holds: "no living owner is robbed and no dead one blocks: leases on one machine run on uptime",
    but: "between machines the clock of the PostgreSQL server decides: if that clock jumps, leases end early or late, and a late owner still changes nothing" },
  { id: "G-same-request-same-answer",   when: "the answer to a call is lost",                                       holds: "the same call with the same `--request-id` gives the same answer, not a second effect",
    but: "answers are kept for seven days, and the last 10,000 for longer" },
  { id: "G-resumes-where-it-stopped",   when: "the runner is interrupted, loses its terminal, or is killed",        holds: "`pawl resume` continues with the command that was interrupted; finished steps stay finished, no commit is made twice",
    but: "the interrupted command may start again from its beginning, with the files it had left; after ten interrupted attempts at one step a person is asked" },
  { id: "G-done-means-evidence",        when: "an agent says that it is done",                                      holds: "a step completes only when every item is ticked and its checks passed on exactly the tree that landed, together with what others landed before; after three failures a person is asked",
    but: "where a clean checkout costs much (`[verify] clean`), checks run in the worktree: they can see files that no commit holds, and the verdict lists those" },
  { id: "G-agents-contained",           when: "an agent hangs, forks a daemon, floods its output, ignores signals, leaves files or a worktree that git cannot commit", holds: "Pawl stops it with all it started and caps its log; its step continues or is blocked with the reason, its files are kept, and the run continues",
    but: "Pawl does not end a daemon that hides and cannot be distinguished from a person's program: it leaves that worktree alone, and the worker takes another" },
  { id: "G-agents-keep-to-their-step",  when: "an agent calls Pawl about another agent's step, or as if it were a person", holds: "the call is refused and changes nothing, also without the agent's variables, from a session of its own or through the library",
    but: "Pawl is no sandbox: a program of the same user can write to `.git` itself, and one that cut every tie to its agent passes for a person" },
  { id: "G-never-half-merged",          when: "a merge conflicts or is killed",                                     holds: "the checkout has all of it or none; a conflict blocks its own step only",
    but: "after a kill, and until the next claim, run, resume or merge there, a checkout can hold some of the new files while its branch is at the old commit; a lock keeps other git commands out" },
  { id: "G-edited-plans-are-noticed",   when: "the plan file is edited meanwhile",                                  holds: "the next claim says what changed and takes it over; a step that is held or completed keeps its text until a person decides",
    but: "uncommitted edits do not count yet: they are named, and count once they are committed or a person takes them over with `pawl recover`; a step whose words changed is another step: its progress does not carry over" },
  { id: "G-plan-files-stay-yours",      when: "progress is written into a plan file",                               holds: "only status, attempts and history change, and not another byte; other programs' changes are kept",
    but: "when another program writes the same file in the same instant and replaces it whole, its version can win; Pawl then writes its progress again" },
  { id: "G-broken-input-changes-nothing", when: "plans, options, output, requests or the database are broken or hostile", holds: "a clear error with a code, nothing changed, nothing executed, nothing raw on the terminal",
    but: "Pawl does not judge what a plan asks for: an agent does what a readable plan says, with the permissions you gave it" },
  { id: "G-lost-database-comes-back",   when: "the database, or all of `.git/pawl`, is damaged, replaced or gone",  holds: "Pawl notices it and never silently starts over; `pawl state reconcile` reads completed steps back from signed commits, where a step still says what it said",
    but: "commits of another clone, of a lost key or for other words are proposed to a person; ticks, attempts and the journal are gone with the database" },
  { id: "G-power-cut-repaired",         when: "the power fails and git's files are empty afterwards",                holds: "`pawl resume` and `pawl recover` make worktrees again with their files kept aside, move branches back to their last whole commit and write objects again from checkouts; nothing is deleted, and `pawl doctor` is red until then",
    but: "a commit whose content is nowhere else stays lost: `pawl recover` names its step and asks a person; branches that Pawl did not make are only named, with `pawl doctor --full`" },
  { id: "G-secrets-stay-secret",        when: "a server's password is configured",                                  holds: "it is in no output, log, error, process title or agent's environment",
    but: "a secret that a plan, a commit or an agent's own output contains is not recognised" },
];
