import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { Lasted } from "../parts/time.tsx";
import { to } from "../router.ts";
import type { StepLine } from "../types.ts";
import { LANE_WORDS, plural, standing } from "../words.ts";
import { fits, type PlanViewProps } from "../views/plan-view-props.ts";
import { coloursOf, draw, type Frame, isSeen, READABLE_ZOOM, type View } from "./draw.ts";
import { NODE, type Picture, placeSteps } from "./place-steps.ts";

const MOST_ELEMENTS = 300;
const LEAST_ZOOM = 0.01;
const MOST_ZOOM = 2;

/** The steps by what waits for what. Drag to move, wheel or + and − to zoom, arrows to move by keyboard. */
export function Graph({ plan, filter }: PlanViewProps) {
  const shape = shapeOf(plan.steps);
  const [frame, setFrame] = useState<Frame>({ width: 0, height: 0 });
  const isLarge = plan.steps.length > MOST_TRIED;
  const layout = useMemo(() => layOut(plan.steps, frame), [shape, isLarge ? frame.width > 0 : frame]);
  const picture = useMemo(() => withStates(layout, plan.byAnchor), [layout, plan.byAnchor]);
  const found = useMemo(
    () =>
      filter === ""
        ? undefined
        : new Set(plan.steps.filter((step) => fits(step, filter)).map(({ anchor }) => anchor)),
    [plan.steps, filter],
  );
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, zoom: 1 });
  const [theme, setTheme] = useState(0);
  useLayoutEffect(() => {
    const look = (): void => setFrame({ width: box.current!.clientWidth, height: box.current!.clientHeight });
    const sizes = new ResizeObserver(look);
    const themes = new MutationObserver(() => setTheme((before) => before + 1));
    sizes.observe(box.current!);
    themes.observe(document.documentElement, { attributes: true });
    look();
    return () => {
      sizes.disconnect();
      themes.disconnect();
    };
  }, []);
  useEffect(() => {
    if (frame.width > 0) setView(fitting(layout, frame));
    // Not with every step that is done: a person who reads a part of it keeps that part in view.
  }, [layout.width, layout.height, frame]);
  const seen = view.zoom < READABLE_ZOOM ? [] : picture.nodes.filter((node) => isSeen(node, view, frame));
  const withElements = seen.length > 0 && seen.length <= MOST_ELEMENTS;
  useEffect(() => {
    if (frame.width === 0) return;
    draw(canvas.current!, picture, view, frame, {
      colours: coloursOf(box.current!),
      withNodes: !withElements,
      found,
    });
  }, [picture, view, frame, withElements, found, theme]);
  const moves = useMoves(view, setView, frame);
  return (
    <div class="graph">
      <div
        ref={box}
        class="graph-box"
        role="application"
        tabIndex={0}
        aria-label={`Graph of ${plural(picture.nodes.length, "step")}: arrows move, plus and minus zoom. The list shows the same as text.`}
        {...moves.handlers}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {withElements && (
          <div
            class="graph-nodes"
            style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}
          >
            {seen.map(({ step, x, y }) => (
              <a
                key={step.anchor}
                class={`node ${step.lane} ${picture.critical.has(step.anchor) ? "critical" : ""} ${found && !found.has(step.anchor) ? "faint" : ""}`}
                href={to("plan", plan.planPath, "step", step.anchor)}
                style={{
                  left: `${x}px`,
                  top: `${y}px`,
                  width: `${NODE.width}px`,
                  height: `${NODE.height}px`,
                }}
                title={`${step.title} (${placeOf(step)})`}
                data-anchor={step.anchor}
                draggable={false}
                onClick={(event) => {
                  if (moves.wasDragged()) event.preventDefault();
                }}
              >
                <span class="title" dir="auto">
                  {step.title}
                </span>
                <span class="anchor">
                  {step.anchor} · {placeOf(step)}
                  {step.started_at && (isWorked(step) || step.completed_at) && (
                    <>
                      {" · "}
                      <Lasted from={step.started_at} until={step.completed_at} isRough />
                    </>
                  )}
                </span>
              </a>
            ))}
          </div>
        )}
      </div>
      <div class="graph-tools">
        <button type="button" aria-label="Zoom in" onClick={() => moves.zoomBy(1.4)}>
          <Icon name="plus" />
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => moves.zoomBy(1 / 1.4)}>
          <Icon name="minus" />
        </button>
        <button type="button" aria-label="Show all" onClick={() => setView(fitting(picture, frame))}>
          <Icon name="fit" />
        </button>
      </div>
      <p class="legend">
        {picture.critical.size > 0 && (
          <span class="critical-word">critical path: {plural(picture.critical.size, "step")}</span>
        )}
        {(["ready", "waiting", "working", "verifying", "stopped", "done"] as const).map((lane) => (
          <span key={lane}>
            <span class={`dot ${lane}`} aria-hidden="true" />{" "}
            {lane === "stopped" ? "blocked or interrupted" : LANE_WORDS[lane].toLowerCase()}
          </span>
        ))}
      </p>
    </div>
  );
}

const isWorked = ({ lane, interrupted_at }: StepLine): boolean =>
  (lane === "working" || lane === "verifying") && interrupted_at === null;

const placeOf = (step: StepLine): string =>
  step.lane === "stopped" || step.interrupted_at !== null
    ? standing(step)
    : LANE_WORDS[step.lane].toLowerCase();

/** Changes when the picture must be laid out anew: other steps, other edges, other ends of the critical path. */
const shapeOf = (steps: readonly StepLine[]): string =>
  `${steps.length} ${steps.reduce((sum, step) => sum + (step.depends_on?.length ?? 0), 0)} ${steps.filter(({ lane }) => lane === "done").length} ${steps.at(-1)?.anchor ?? ""}`;

/** The same places with the steps as they are now. */
function withStates(picture: Picture, byAnchor: ReadonlyMap<string, StepLine>): Picture {
  return {
    ...picture,
    nodes: picture.nodes.map((node) => ({ ...node, step: byAnchor.get(node.step.anchor) ?? node.step })),
  };
}

const MARGIN = 20;
/** What it means stands below the picture, and must not stand on it. */
const LEGEND = 64;
/** The buttons at the right, from the corner to their far edges. */
const TOOLS = { width: 56, height: 124 };

/** Laying out a large plan twice would be felt. */
const MOST_TRIED = 2000;

/** The way that shows more of it in this frame: a phone is high, a screen is wide. */
function layOut(steps: readonly StepLine[], frame: Frame): Picture {
  if (frame.width === 0) return placeSteps([], "across");
  const across = placeSteps(steps, "across");
  if (steps.length > MOST_TRIED) return across;
  const down = placeSteps(steps, "down");
  return fitting(down, frame).zoom > fitting(across, frame).zoom ? down : across;
}

/** All of it, as large as there is room; beside the buttons rather than below them, if it can be read there. */
function fitting(picture: Picture, frame: Frame): View {
  const view = fittingIn(picture, frame);
  if (view.y >= TOOLS.height || view.x + picture.width * view.zoom <= frame.width - TOOLS.width) return view;
  const beside = fittingIn(picture, { ...frame, width: frame.width - TOOLS.width });
  return beside.zoom >= READABLE_ZOOM ? beside : view;
}

function fittingIn({ width, height }: Picture, frame: Frame): View {
  const free = frame.height - MARGIN - LEGEND;
  const fit = Math.min((frame.width - 2 * MARGIN) / width, free / height, 1);
  const zoom = Math.max(fit, LEAST_ZOOM);
  return { zoom, x: (frame.width - width * zoom) / 2, y: MARGIN / 2 + (free - height * zoom) / 2 };
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
};

function useMoves(view: View, setView: (view: View) => void, frame: Frame) {
  const drag = useRef<{ x: number; y: number; moved: number } | undefined>(undefined);
  const lastMoved = useRef(0);
  const now = useRef(view);
  now.current = view;
  const zoomAt = (factor: number, x: number, y: number): void => {
    const { zoom, ...at } = now.current;
    const next = Math.min(Math.max(zoom * factor, LEAST_ZOOM), MOST_ZOOM);
    setView({ zoom: next, x: x - ((x - at.x) / zoom) * next, y: y - ((y - at.y) / zoom) * next });
  };
  const zoomBy = (factor: number): void => zoomAt(factor, frame.width / 2, frame.height / 2);
  return {
    zoomBy,
    wasDragged: () => lastMoved.current > 5,
    handlers: {
      onWheel(event: WheelEvent) {
        event.preventDefault();
        const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
        zoomAt(Math.exp(-event.deltaY * 0.0015), event.clientX - left, event.clientY - top);
      },
      onPointerDown(event: PointerEvent) {
        lastMoved.current = 0;
        drag.current = { x: event.clientX, y: event.clientY, moved: 0 };
      },
      onPointerMove(event: PointerEvent) {
        const { current } = drag;
        if (current === undefined || event.buttons === 0) return;
        const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
        drag.current = {
          x: event.clientX,
          y: event.clientY,
          moved: current.moved + Math.abs(dx) + Math.abs(dy),
        };
        lastMoved.current = drag.current.moved;
        setView({ ...now.current, x: now.current.x + dx, y: now.current.y + dy });
      },
      onPointerUp() {
        drag.current = undefined;
      },
      onKeyDown(event: KeyboardEvent) {
        const arrow = ARROWS[event.key];
        if (arrow) setView({ ...now.current, x: now.current.x + arrow[0], y: now.current.y + arrow[1] });
        else if (event.key === "+" || event.key === "=") zoomBy(1.25);
        else if (event.key === "-") zoomBy(0.8);
        else return;
        event.preventDefault();
      },
    },
  };
}
