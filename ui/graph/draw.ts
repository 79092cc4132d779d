import type { Lane } from "../types.ts";
import { type Point, pointsOf } from "./lines.ts";
import { NODE, type PlacedStep, type Picture, type Way } from "./place-steps.ts";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

type Colours = Readonly<Record<Lane | "line" | "accent" | "surface" | "text", string>>;

/** The tokens of the page, because a canvas knows no variables. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ready: of("ready"),
    waiting: of("waiting"),
    working: of("working"),
    verifying: of("verifying"),
    stopped: of("stopped"),
    done: of("done"),
    line: of("line-strong"),
    accent: of("accent"),
    surface: of("surface"),
    text: of("text"),
  };
}

export const isSeen = ({ x, y }: PlacedStep, view: View, frame: Frame): boolean => {
  const left = x * view.zoom + view.x;
  const top = y * view.zoom + view.y;
  return (
    left < frame.width &&
    top < frame.height &&
    left + NODE.width * view.zoom > 0 &&
    top + NODE.height * view.zoom > 0
  );
};

/** Below this no title is readable, and elements would only cost. */
export const READABLE_ZOOM = 0.5;

/** Below this no bend is visible, and twenty thousand of them would be felt. */
const STRAIGHT_ZOOM = 0.15;

/**
 * Draws lines, and nodes as blocks where they are too small or too many to be elements. Only what is in the frame is
 * drawn, so a plan of ten thousand steps moves as easily as one of ten.
 */
export function draw(
  canvas: HTMLCanvasElement,
  { nodes, edges, way }: Picture,
  view: View,
  frame: Frame,
  options: {
    readonly colours: Colours;
    readonly withNodes: boolean;
    readonly found: ReadonlySet<string> | undefined;
  },
): void {
  const ratio = devicePixelRatio;
  canvas.width = frame.width * ratio;
  canvas.height = frame.height * ratio;
  const pen = canvas.getContext("2d")!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.translate(view.x, view.y);
  pen.scale(view.zoom, view.zoom);
  const { colours, withNodes, found } = options;
  const left = -view.x / view.zoom;
  const top = -view.y / view.zoom;
  const right = left + frame.width / view.zoom;
  const bottom = top + frame.height / view.zoom;
  for (const isCritical of [false, true]) {
    pen.beginPath();
    for (const edge of edges) {
      if (edge.isCritical !== isCritical) continue;
      const { from, to } = edge;
      if (Math.max(from.x, to.x) + NODE.width < left || Math.min(from.x, to.x) > right) continue;
      if (Math.max(from.y, to.y) + NODE.height < top || Math.min(from.y, to.y) > bottom) continue;
      if (view.zoom < STRAIGHT_ZOOM) {
        pen.moveTo(from.x + NODE.width / 2, from.y + NODE.height / 2);
        pen.lineTo(to.x + NODE.width / 2, to.y + NODE.height / 2);
        continue;
      }
      const line = pointsOf(edge, way);
      pen.moveTo(...line[0]!);
      for (let index = 1; index < line.length; index += 1) bend(pen, line[index - 1]!, line[index]!, way);
    }
    pen.strokeStyle = isCritical ? colours.accent : colours.line;
    pen.lineWidth = (isCritical ? 2.5 : 1.25) / Math.max(Math.min(view.zoom, 1), 0.25);
    pen.stroke();
  }
  if (!withNodes) return;
  for (const node of nodes) {
    if (!isSeen(node, view, frame)) continue;
    pen.globalAlpha = found === undefined || found.has(node.step.anchor) ? 1 : 0.2;
    pen.fillStyle = colours[node.step.lane];
    pen.beginPath();
    pen.roundRect(node.x, node.y, NODE.width, NODE.height, 8);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/** Leaves and arrives in the direction of the layers. */
function bend(pen: CanvasRenderingContext2D, [x1, y1]: Point, [x2, y2]: Point, way: Way): void {
  const [bendX, bendY] = way === "across" ? [(x2 - x1) / 2, 0] : [0, (y2 - y1) / 2];
  pen.bezierCurveTo(x1 + bendX, y1 + bendY, x2 - bendX, y2 - bendY, x2, y2);
}
