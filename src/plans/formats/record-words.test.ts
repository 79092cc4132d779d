import { describe, expect, it } from "vitest";
import { NOW, progressOf } from "../../../test/support/progress.ts";
import { expectBytes } from "../../../test/support/write-back.ts";
import { claudeTasks } from "./claude-tasks.ts";
import { formatNamed } from "./formats.ts";
import { foldFolder } from "./plan-folder.ts";
import { parsePlan } from "./read-plan.ts";
import { writePlan } from "./write-plan.ts";

const read = (text: string, path = "prd.json") => parsePlan(new TextEncoder().encode(text), path);

const completed = (anchor: string) => ({ [anchor]: { status: "completed", completedAt: NOW } as const });

describe("lists of features and stories", () => {
  it("get `passes`, also where a status beside it says something else", () => {
    expectBytes(
      "ralph",
      '{"userStories":[{"id":"a","title":"A","status":"todo","passes":⟦false→true⟧}]}',
      completed("a"),
    );
    expectBytes("ralph", '{"userStories":[{"id":"a","title":"A","status":"done","passes":⟦false→true⟧}]}', {
      ...completed("a"),
    });
  });

  it("get the word by which they say that they are done", () => {
    for (const word of ["done", "complete", "completed"])
      expectBytes(
        "feature-list",
        `{"features":[{"id":"a","description":"A","${word}":true},{"id":"b","description":"B","${word}":⟦false→true⟧}]}`,
        completed("b"),
      );
  });

  it("give their subtasks a status of their own", () =>
    expectBytes(
      "feature-list",
      '{"features":[{"id":"a","title":"A","status":"pending","subtasks":[{"id":"x","title":"X","status":"⟦pending→done⟧"},{"id":"y","title":"Y","status":"done"}]}]}',
      completed("a.x"),
    ));

  it("keep subtasks as words where one of them has no status", () => {
    const [step] = read(
      '{"features":[{"id":"a","title":"A","status":"pending","subtasks":[{"title":"X","status":"done"},{"title":"Y"}]}]}',
      "feature_list.json",
    ).steps;
    expect(step).toMatchObject({ substeps: [], items: [] });
    expect(step!.body).toContain("title: Y");
  });

  it("say nothing of a status that agrees", () => {
    const { diagnostics } = read(
      '{"userStories":[{"id":"a","status":"done","passes":true},{"id":"b","status":"todo","passes":false},{"id":"c","status":"??","passes":false}]}',
    );
    expect(diagnostics).toEqual([]);
  });

  it("are read by the list that says how far it is, and written there", () => {
    const text =
      '{"features":[{"id":"F","name":"A"}],"tasks":[{"id":"T","description":"B","status":"todo","passes":false}]}';
    const plan = read(text);
    expect(plan.leftOut?.map((one) => one.text)).toEqual(["features"]);
    const files = { text, companions: undefined };
    const { edits } = writePlan(formatNamed("feature-list")!, files, progressOf(plan, completed("T")));
    expect(edits[0]?.after).toBe(text.replace('"passes":false', '"passes":true'));
  });

  it("are no plan by a word for done alone, unless the name of the file says so", () => {
    const todos = '[{"id":1,"title":"a","completed":false}]';
    expect(read(todos, "db.json").format).toBe("unknown");
    expect(read(todos, "scripts/prd.json").format).toBe("feature-list");
  });
});

describe("tasks of Claude Code", () => {
  it("wait for those that say that they block them, and say nothing of how the program shows them", () => {
    const files = [
      {
        id: "1",
        subject: "A",
        description: "a",
        activeForm: "Doing A",
        status: "pending",
        blocks: ["2"],
        blockedBy: [],
      },
      { id: "2", subject: "B", description: "b", status: "pending", blocks: [] },
    ].map((task) => ({ name: `${task.id}.json`, text: JSON.stringify(task) }));
    const { steps } = claudeTasks.read(foldFolder({ files, archived: [] }));
    expect(steps).toMatchObject([
      { body: "a", dependsOn: [] },
      { body: "b", dependsOn: [{ anchor: "1" }] },
    ]);
  });
});

it("names the folder of a task of Claude Code that is named by itself", () => {
  const { diagnostics } = read('{"id":"1","subject":"A","status":"pending","blockedBy":[]}', "tasks/1.json");
  expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    ["P015", "Name the folder that holds the task files."],
  ]);
});

describe("task-master", () => {
  it("is named where its own file has no list that Pawl knows", () => {
    const { format, diagnostics } = read('{"work":{}}', ".taskmaster/tasks/tasks.json");
    expect(format).toBe("task-master");
    expect(diagnostics[0]?.message).toBe("It is read as task-master, and has no list of tasks.");
  });

  it("gets the status of tasks that stand in a tag directly", () =>
    expectBytes(
      "task-master",
      '{"master":[{"id":1,"title":"A","status":"⟦pending→done⟧"}],"metadata":{"tags":[]}}',
      completed("1"),
    ));
});
