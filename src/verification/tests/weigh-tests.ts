import { plural } from "../../domain/index.ts";
import type { TreeFile } from "../../platform/ports/index.ts";
import { readTests, type TestsRead } from "./read-tests.ts";

/** Something about a step's tests that lets them prove less than they seem to. */
export interface TestsConcern {
  readonly kind: "deleted" | "skipped" | "emptied" | "hollow" | "fewer-assertions";
  readonly file: string;
  /** For people. */
  readonly says: string;
  /** Whether that alone is reason enough to send work back. */
  readonly isClear: boolean;
}

export interface TestsWeighed {
  readonly concerns: readonly TestsConcern[];
  /** Whether the step brings tests, or changes some: only then can they be tried on the code from before. */
  readonly bringsTests: boolean;
  /** Whether it changes anything besides tests. */
  readonly changesCode: boolean;
}

interface ReadFile {
  readonly file: TreeFile;
  readonly before: TestsRead;
  readonly after: TestsRead;
}

/** Weighs what a step did to tests, by their text alone. */
export function weighTests(changes: readonly TreeFile[], isTest: (path: string) => boolean): TestsWeighed {
  const files = changes
    .filter(({ path }) => isTest(path))
    .map((file) => ({
      file,
      before: readTests(file.path, file.before),
      after: readTests(file.path, file.after),
    }));
  const code = changes.filter(({ path }) => !isTest(path));
  const movedTo = moves(files);
  return {
    concerns: files.flatMap((one) => concernsOf(one, { files, code, movedTo })),
    bringsTests: files.some((one) => one.file.isThereAfter && !isMoveOf(one, movedTo)),
    changesCode: code.length > 0,
  };
}

interface Around {
  readonly files: readonly ReadFile[];
  readonly code: readonly TreeFile[];
  /** Files that are gone, by where they are now. */
  readonly movedTo: ReadonlyMap<string, ReadFile>;
}

/** Files that another one has become: the same text, or the same cases, under another name. */
function moves(files: readonly ReadFile[]): ReadonlyMap<string, ReadFile> {
  const found = new Map<string, ReadFile>();
  const gone = files.filter(({ file }) => !file.isThereAfter);
  for (const added of files.filter(({ file }) => !file.isThereBefore)) {
    const from =
      gone.find(({ file }) => file.before === added.file.after) ??
      gone.find(
        ({ before }) =>
          before.cases.length > 0 && before.cases.every((name) => added.after.cases.includes(name)),
      );
    if (from && !found.has(added.file.path)) found.set(added.file.path, from);
  }
  return found;
}

/** A file that only has another name proves what it proved before. */
const isMoveOf = ({ file }: ReadFile, movedTo: Around["movedTo"]): boolean =>
  movedTo.get(file.path)?.file.before === file.after && file.after !== undefined;

function concernsOf(one: ReadFile, around: Around): readonly TestsConcern[] {
  const { file } = one;
  if (!file.isThereAfter) return deletedConcern(one, around);
  const before = around.movedTo.get(file.path)?.before ?? one.before;
  return [...skippedConcern(one, before), ...thinnedConcern(one, before, around)];
}

const hasTests = ({ cases, assertions, trivial }: TestsRead): boolean =>
  cases.length + assertions + trivial > 0;

function deletedConcern(
  { file, before }: ReadFile,
  { files, code, movedTo }: Around,
): readonly TestsConcern[] {
  const isMoved = [...movedTo.values()].some((from) => from.file.path === file.path);
  if (!hasTests(before) || isMoved || areElsewhere(before, file.path, files)) return [];
  const stem = stemOf(file.path);
  const isWithCode = code.some((one) => !one.isThereAfter && stemOf(one.path) === stem);
  const why = isWithCode ? ", together with the code of the same name" : "";
  const says = `${file.path} is deleted${why} (${plural(before.cases.length, "test")})`;
  return [{ kind: "deleted", file: file.path, says, isClear: !isWithCode }];
}

/** Whether every case of a file is in another one by now. */
const areElsewhere = ({ cases }: TestsRead, path: string, files: readonly ReadFile[]): boolean =>
  cases.length > 0 &&
  cases.every((name) =>
    files.some(
      ({ file, before, after }) =>
        file.path !== path && after.cases.includes(name) && !before.cases.includes(name),
    ),
  );

/** `src/tax.ts`, `test/tax.test.ts`, `tax_test.go`, `test_tax.py` and `TaxTest.java` are about the same. */
const stemOf = (path: string): string =>
  path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.[^]*$/, "")
    .replace(/^test[_-]|[_-]?(?:tests?|spec)$/i, "")
    .toLowerCase();

function skippedConcern({ file, after }: ReadFile, before: TestsRead): readonly TestsConcern[] {
  const more = after.skipped - before.skipped;
  if (more <= 0) return [];
  const says = `${file.path} skips ${plural(more, "test or group", "tests or groups")} that ran before, or never will`;
  return [{ kind: "skipped", file: file.path, says, isClear: true }];
}

function thinnedConcern(
  { file, after }: ReadFile,
  before: TestsRead,
  { files }: Around,
): readonly TestsConcern[] {
  const at = file.path;
  const isElsewhere = areElsewhere(before, at, files);
  if (hasTests(before) && !isElsewhere && (!hasTests(after) || (before.assertions > 0 && isHollow(after))))
    return [{ kind: "emptied", file: at, says: `${at} has no test left that could fail`, isClear: true }];
  const hollow = after.empty + after.trivial - before.empty - before.trivial;
  if (hollow > 0 && after.assertions <= before.assertions)
    return [
      {
        kind: "hollow",
        file: at,
        says: `${at} brings ${plural(hollow, "test or assertion", "tests or assertions")} that cannot fail: empty, or about constants`,
        isClear: true,
      },
    ];
  const lost = before.assertions - after.assertions;
  if (lost <= 0 || isElsewhere) return [];
  const says = `${at} has ${plural(lost, "assertion")} less than before (${before.assertions} before)`;
  return [{ kind: "fewer-assertions", file: at, says, isClear: false }];
}

/** Nothing in it could fail; a file whose checks have names of their own is not counted among these. */
const isHollow = ({ cases, empty, assertions, trivial }: TestsRead): boolean =>
  assertions === 0 && (trivial > 0 || (cases.length > 0 && empty >= cases.length) || cases.length === 0);
