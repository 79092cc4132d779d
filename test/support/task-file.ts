/** A task file as agents leave it, one that waits for the one before. */
export const taskFile = (number: number): string =>
  JSON.stringify(
    {
      id: String(number),
      title: `Change part ${number} of the system`,
      description: "Change the code where it is needed, and say in the documentation what changed. ".repeat(
        6,
      ),
      status: number % 3 === 0 ? "Finished" : "Pending",
      difficulty: 3,
      owner: "claude",
      created_date: "2026-01-01",
      updated_date: "2026-01-02",
      dependencies: number === 1 ? [] : [String(number - 1)],
      subtasks: [],
      files_affected: [`src/part-${number}.ts`],
      notes: ["one note", "another note with a few more words"],
      verification_attempts: 0,
      verification_history: [],
      acceptance_criteria: ["the tests of this part pass", "everything else still works"],
    },
    null,
    2,
  );
