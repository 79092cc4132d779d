import type { SourceDocument } from "./requirement.ts";

const TASKS = "e2e/task-file-recovery";

// oxfmt-ignore
export const sessionRecovery: SourceDocument = {
  title: "Tasks that an earlier session left",
  about: "What is found and repaired in a folder of task files before work begins.",
  requirements: [
    ["A file beside the tasks says whether the last session ended cleanly, with its time, the number of tasks and those in progress", TASKS, "is written at the end of a clean run, beside the tasks and for Pawl itself, and is no part of a commit"],
    ["It is written at the end of a successful run", TASKS, "is written at the end of a clean run, beside the tasks and for Pawl itself, and is no part of a commit"],
    ["It is read before work begins", TASKS, "of less than 24 hours ago lets a run look only at the tasks it lists"],
    ["A clean end within 24 hours limits the scan to the tasks that it lists", TASKS, "of less than 24 hours ago lets a run look only at the tasks it lists"],
    ["A missing or older file means a full scan", "crash/sentinel", "a crash within 24 hours of a clean end is found, 1,000 times of 1,000"],
    ["Awaiting verification: the verification is started, and nothing is implemented again", TASKS, "verifies the task by itself and finishes it"],
    ["The recovery of each task is logged in one line", TASKS, "verifies the task by itself and finishes it"],
    ["Blocked by a verification timeout with fewer than 3 attempts: verified again with 40 instead of 30 turns", TASKS, "verifies again with the extended turn limit and takes the note away"],
    ["Its note is cleared", TASKS, "verifies again with the extended turn limit and takes the note away"],
    ["An implementation whose worktree moved on is verified from what was kept", "e2e/run-finished-work", "is put back from what was kept and verified by recover, without an agent"],
    ["Each verification counts as an attempt", "e2e/run-finished-work", "uses up its attempts and then waits for a person, who can have it continued"],
    ["Blocked by a verification timeout after 3 attempts: escalated to a person, with the note replaced", TASKS, "escalates to a person and replaces the note"],
    ["Blocked by an agent's timeout: the question names the task, its title and what happened", TASKS, "[R] sets it to pending for the next dispatch"],
    ["Blocked by an agent's timeout: a person chooses Retry, which sets it to pending", TASKS, "[R] sets it to pending for the next dispatch"],
    ["… or Break down, which makes subtasks of it", TASKS, "[B] has a planner break it down into subtasks, and keeps what it said"],
    ["… or Skip, which leaves it blocked", TASKS, "[S] leaves it blocked"],
    ["Escalated tasks are reported and left alone", TASKS, "is reported and left alone"],
    ["In progress for more than 24 hours: the question says for how long", TASKS, "[C] keeps it in progress, and does not ask again at once"],
    ["In progress for more than 24 hours and held by no agent: a person chooses Continue", TASKS, "[C] keeps it in progress, and does not ask again at once"],
    ["… or Reset to pending", TASKS, "[P] resets it to pending"],
    ["… or Put on hold", TASKS, "[H] puts it on hold"],
    ["What was touched within 24 hours is left alone", TASKS, "leaves alone what was touched within 24 hours, a date counting to the end of its day"],
    ["Archived tasks are not scanned", TASKS, "leaves archived tasks alone"],
    ["Cases that are proven are repaired without asking; uncertain ones are asked", "../src/recovery/rules/rules", "never do by themselves what a person decides, and never offer one key twice"],
    ["Without a terminal nothing uncertain is decided", TASKS, "without a terminal nothing is decided, and the exit code says so"],
    ["A task file that does not parse is skipped, and the others are scanned", TASKS, "are skipped, reported with their position, and stay as they are"],
    ["The malformed file is reported", TASKS, "are skipped, reported with their position, and stay as they are"],
    ["Work continues after recovery", TASKS, "verifies the task by itself and finishes it"],
    ["Verified and committed work is never offered to be reset", "e2e/one-diagnosis", "a step whose commit is there is completed, and nothing offers to do it again"],
    ["The same diagnosis is shown wherever a person or an agent asks", "e2e/one-diagnosis", "what is broken is worded in one way by recover, status, explain, the page, MCP and hooks:"],
  ],
};
