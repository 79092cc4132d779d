import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { criticalPath, cycleText, findCycles, layers, type GraphEdge, type GraphNode } from "./plan-graph.ts";

/** `a b(b1 b2)`: nodes, substeps in parentheses. `a>b`: a waits for b. */
function graph(steps: string, waits = ""): [nodes: GraphNode[], edges: GraphEdge[]] {
  const nodes: GraphNode[] = [];
  for (const [, anchor = "", substeps = ""] of steps.matchAll(/(\S+?)(?:\(([^)]*)\))?(?:\s|$)/g)) {
    nodes.push({ anchor, parent: undefined });
    for (const substep of substeps.split(" ").filter(Boolean))
      nodes.push({ anchor: substep, parent: anchor });
  }
  const edges = waits
    .split(" ")
    .filter(Boolean)
    .map((wait) => ({ from: wait.split(">")[0]!, to: wait.split(">")[1]! }));
  return [nodes, edges];
}

const chain = (length: number): [GraphNode[], GraphEdge[]] => [
  Array.from({ length }, (_, index) => ({ anchor: `s${index}`, parent: undefined })),
  Array.from({ length: length - 1 }, (_, index) => ({ from: `s${index + 1}`, to: `s${index}` })),
];

describe("cycles", () => {
  it.each([
    ["a b", "a>b", []],
    ["a b", "a>b b>a", ["a → b → a"]],
    ["a b c", "a>b b>c c>a", ["a → b → c → a"]],
    ["a", "a>a", ["a → a"]],
    ["a b c d", "a>b b>a c>d d>c", ["a → b → a", "c → d → c"]],
    ["a b c", "a>b a>c b>c", []],
    ["a", "a>nowhere nowhere>a", []],
    [
      "__proto__ constructor",
      "__proto__>constructor constructor>__proto__",
      ["__proto__ → constructor → __proto__"],
    ],
  ])("in %j with %j", (steps, waits, expected) => {
    expect(
      findCycles(...graph(steps, waits))
        .map(cycleText)
        .toSorted(),
    ).toEqual(expected);
  });

  it("give one short way round, not the whole knot", () => {
    expect(findCycles(...graph("a b c d", "a>b b>c c>d d>a b>a"))).toEqual([["a", "b"]]);
  });

  it("run through a step's wait for its substeps", () => {
    expect(findCycles(...graph("a(a1) b", "b>a a1>b")).map(cycleText)).toEqual(["a → a1 → b → a"]);
  });

  it("run through a substep's wait for what its step waits for", () => {
    expect(findCycles(...graph("a(a1) b", "a>b b>a1"))).toHaveLength(1);
    expect(findCycles(...graph("a(a1) b", "a>b"))).toEqual([]);
    expect(findCycles(...graph("a(a1 a2) b", "b>a1 a2>b"))).toEqual([]);
  });

  it("are not made of a step that names itself or no step as its step", () => {
    const nodes = [
      { anchor: "a", parent: "a" },
      { anchor: "b", parent: "nobody" },
    ];
    expect(findCycles(nodes, [{ from: "a", to: "b" }])).toEqual([]);
    expect(layers(nodes, [{ from: "a", to: "b" }])).toEqual([["b"], ["a"]]);
  });

  it("are found in chains deeper than the stack of the machine", () => {
    const [nodes, edges] = chain(50_000);
    expect(findCycles(nodes, edges)).toEqual([]);
    const [cycle] = findCycles(nodes, [...edges, { from: "s0", to: "s49999" }]);
    expect(cycle).toHaveLength(50_000);
  });

  it("cost no more for many substeps under many dependencies", () => {
    const steps = Array.from({ length: 20_000 }, (_, index) => ({ anchor: `d${index}`, parent: undefined }));
    const substeps = Array.from({ length: 20_000 }, (_, index) => ({ anchor: `p${index}`, parent: "p" }));
    const edges = steps.map(({ anchor }) => ({ from: "p", to: anchor }));
    expect(findCycles([...steps, { anchor: "p", parent: undefined }, ...substeps], edges)).toEqual([]);
  });
});

describe("layers", () => {
  it.each([
    ["a b c", "", [["a", "b", "c"]]],
    ["a b c", "b>a c>b", [["a"], ["b"], ["c"]]],
    [
      "a b c d",
      "c>a c>b d>a",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a b c", "c>a c>b b>a", [["a"], ["b"], ["c"]]],
    ["a b(b1 b2)", "b>a b2>b1", [["a"], ["b1"], ["b2"], ["b"]]],
    ["a b c", "a>b b>a", [["c"]]],
    ["a b c", "a>b b>a c>a", []],
    ["", "", []],
  ])("of %j with %j", (steps, waits, expected) => {
    expect(layers(...graph(steps, waits))).toEqual(expected);
  });

  it("put every step behind all it waits for, whatever the graph", () => {
    const edge = fc.tuple(fc.nat({ max: 29 }), fc.nat({ max: 29 })).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 80 }), (pairs) => {
        const nodes = Array.from({ length: 30 }, (_, index) => ({ anchor: `s${index}`, parent: undefined }));
        // From high to low there is no cycle.
        const edges = pairs.map(([a, b]) => ({ from: `s${Math.max(a, b)}`, to: `s${Math.min(a, b)}` }));
        const found = layers(nodes, edges);
        const layerOf = new Map(
          found.flatMap((anchors, index) => anchors.map((anchor) => [anchor, index] as const)),
        );
        expect(layerOf.size).toBe(30);
        expect(edges.every(({ from, to }) => layerOf.get(from)! > layerOf.get(to)!)).toBe(true);
        expect(findCycles(nodes, edges)).toEqual([]);
        expect(criticalPath(nodes, edges)).toHaveLength(found.length);
      }),
    );
  });

  it("leave out exactly what is in a cycle or waits for one, whatever the graph", () => {
    const edge = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 25 }), (pairs) => {
        const nodes = Array.from({ length: 10 }, (_, index) => ({ anchor: `s${index}`, parent: undefined }));
        const edges = pairs.map(([a, b]) => ({ from: `s${a}`, to: `s${b}` }));
        const hasCycle = findCycles(nodes, edges).length > 0;
        expect(layers(nodes, edges).flat().length < nodes.length).toBe(hasCycle);
        for (const cycle of findCycles(nodes, edges)) {
          for (const [index, anchor] of cycle.entries()) {
            const next = cycle[(index + 1) % cycle.length];
            expect(edges.some(({ from, to }) => from === anchor && to === next)).toBe(true);
          }
        }
      }),
    );
  });
});

describe("the critical path", () => {
  it.each([
    ["a b c d", "b>a c>b d>a", "a b c"],
    ["a b(b1 b2) c", "b>a b2>b1 c>b", "a b1 b2 b c"],
    ["a b", "", "a"],
    ["a b", "a>b b>a", ""],
    ["a b c", "a>b b>a c>a", ""],
    ["a b c d", "a>b b>a d>c", "c d"],
    ["", "", ""],
  ])("of %j with %j", (steps, waits, expected) => {
    expect(criticalPath(...graph(steps, waits)).join(" ")).toBe(expected);
  });

  it("may be as long as the plan", () => {
    expect(criticalPath(...chain(50_000))).toHaveLength(50_000);
  });
});
