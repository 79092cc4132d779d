import { describe, expect, it } from "vitest";
import { pathMatcher } from "./path-pattern.ts";
import { readTests } from "./read-tests.ts";
import { weighTests } from "./weigh-tests.ts";

describe("patterns of test files", () => {
  it.each([
    ["test/**", "test/a.ts", true],
    ["test/**", "test/deep/a.ts", true],
    ["test/**", "src/test/a.ts", false],
    ["test/", "test/a.ts", true],
    ["**/*.test.ts", "a.test.ts", true],
    ["**/*.test.ts", "src/deep/a.test.ts", true],
    ["**/*.test.ts", "src/atest.ts", false],
    ["{test,spec}/*.ts", "spec/a.ts", true],
    ["{test,spec}/*.ts", "spec/deep/a.ts", false],
    ["**/test_?.py", "pkg/test_a.py", true],
  ])("%s and %s", (pattern, path, isMeant) => {
    expect(pathMatcher([pattern])(path)).toBe(isMeant);
  });
});

describe("skipped tests are seen in many languages", () => {
  it.each([
    ["a.test.ts", 'it.skip("a", () => {});'],
    ["a.test.ts", 'xit("a", () => {});'],
    ["a.test.ts", 'describe.skip("a", () => {});'],
    ["a.test.ts", 'test.only("a", () => {});'],
    ["test_a.py", "@pytest.mark.skip\ndef test_a(): assert f() == 1"],
    ["test_a.py", '@unittest.skip("slow")\ndef test_a(self): pass'],
    ["a_test.go", 'func TestA(t *testing.T) {\n\tt.Skip("later")\n}'],
    ["a.rs", "#[test]\n#[ignore]\nfn a() { assert_eq!(f(), 1); }"],
    ["ATest.java", "@Disabled\n@Test\nvoid a() { assertEquals(1, f()); }"],
  ])("%s: %s", (path, text) => expect(readTests(path, text).skipped).toBe(1));

  it("and not in comments", () => {
    expect(readTests("a.test.ts", '// it.skip("a")\n/* xit("b") */\n').skipped).toBe(0);
    expect(readTests("test_a.py", "# @pytest.mark.skip\n").skipped).toBe(0);
  });
});

describe("assertions that cannot fail are distinguished from others", () => {
  it.each([
    ["a.test.ts", "expect(true).toBe(true);", 0, 1],
    ["a.test.ts", "expect(f(1)).toBe(1);", 1, 0],
    ["a.test.ts", "expect(n).toBe(n);", 0, 1],
    ["a.test.ts", "assert.equal(1, 1); assert.equal(f(), 1);", 1, 1],
    ["test_a.py", "    assert True\n    assert f() == 1\n", 1, 1],
    ["a.rs", "assert!(true); assert_eq!(f(), 1);", 1, 1],
    ["ATest.java", "assertTrue(true); assertEquals(1, f());", 1, 1],
  ])("%s: %s", (path, text, assertions, trivial) => {
    expect(readTests(path, text)).toMatchObject({ assertions, trivial });
  });
});

const file = (path: string, before: string | undefined, after: string | undefined) => ({
  path,
  before,
  after,
  isThereBefore: before !== undefined,
  isThereAfter: after !== undefined,
});
const isTest = pathMatcher(["test/**"]);
const CASE = 'it("adds", () => expect(add(1, 2)).toBe(3));\n';

describe("what a step did to tests", () => {
  it("is nothing to say about where it only adds", () => {
    const weighed = weighTests(
      [file("src/a.ts", "a", "b"), file("test/a.ts", CASE, `${CASE}${CASE}`)],
      isTest,
    );
    expect(weighed).toEqual({ concerns: [], bringsTests: true, changesCode: true });
  });

  it("names a deleted file, unless its cases are elsewhere or its code goes, too", () => {
    const gone = file("test/add.test.ts", CASE, undefined);
    expect(weighTests([gone], isTest).concerns).toMatchObject([{ kind: "deleted", isClear: true }]);
    expect(weighTests([gone, file("test/sum.ts", undefined, CASE)], isTest).concerns).toEqual([]);
    expect(weighTests([gone, file("src/add.ts", "code", undefined)], isTest).concerns).toMatchObject([
      { kind: "deleted", isClear: false },
    ]);
    expect(weighTests([file("test/data.json", "{}", undefined)], isTest).concerns).toEqual([]);
  });

  it("names a file that lost some assertions, and asks for nothing", () => {
    const two = 'it("adds", () => { expect(add(1, 2)).toBe(3); expect(add(0, 0)).toBe(0); });\n';
    expect(weighTests([file("test/a.ts", two, CASE)], isTest).concerns).toMatchObject([
      { kind: "fewer-assertions", isClear: false },
    ]);
  });

  it("does not count a test under another name as a new one", () => {
    const weighed = weighTests(
      [file("src/a.ts", "a", "b"), file("test/a.ts", CASE, undefined), file("test/b.ts", undefined, CASE)],
      isTest,
    );
    expect(weighed).toMatchObject({ concerns: [], bringsTests: false });
  });
});
