// Draws what a terminal shows as an SVG picture: reads text with colours on stdin, writes the picture to stdout.
//   tmux capture-pane -e -p -t demo | node scripts/terminal-picture.mjs "npm run demo" > docs/images/demo.svg
import { readFileSync } from "node:fs";

const COLOURS = {
  30: "#3b4252", 31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2", 37: "#d8dee9",
  90: "#7f8796", 91: "#e06c75", 92: "#98c379", 93: "#e5c07b", 94: "#61afef", 95: "#c678dd", 96: "#56b6c2", 97: "#ffffff",
}; // oxfmt-ignore
const TEXT = "#d8dee9";
const [WIDTH, HEIGHT, MARGIN, BAR] = [8.4, 18, 16, 34];

const title = process.argv[2] ?? "";
const lines = readFileSync(0, "utf8")
  .replace(/\s+$/, "")
  .split("\n")
  .map((line) => spansOf(line));
const columns = Math.max(
  60,
  ...lines.map((spans) => spans.reduce((sum, { text }) => sum + [...text].length, 0)),
);
const [width, height] = [columns * WIDTH + 2 * MARGIN, lines.length * HEIGHT + 2 * MARGIN + BAR];

process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="#1e222a"/>
${["#e06c75", "#e5c07b", "#98c379"].map((fill, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="${fill}"/>`).join("")}
<text x="${width / 2}" y="22" fill="#7f8796" text-anchor="middle" font-family="sans-serif" font-size="13">${escaped(title)}</text>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="${TEXT}" xml:space="preserve">
${lines.map((spans, index) => `<text x="${MARGIN}" y="${BAR + MARGIN + index * HEIGHT}">${spans.map(drawn).join("")}</text>`).join("\n")}
</g>
</svg>
`,
);

/** A line as pieces that look alike. */
function spansOf(line) {
  const spans = [];
  let style = {};
  // oxlint-disable-next-line no-control-regex
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    // oxlint-disable-next-line no-control-regex
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part !== "") spans.push({ text: part, style });
    } else for (const code of codes.split(";").map(Number)) style = after(style, code);
  }
  return spans;
}

function after(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, fill: undefined };
  return COLOURS[code] === undefined ? style : { ...style, fill: COLOURS[code] };
}

function drawn({ text, style: { bold, dim, fill } }) {
  const looks = [
    ...(fill ? [`fill="${fill}"`] : []),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.65"'] : []),
  ];
  return looks.length === 0 ? escaped(text) : `<tspan ${looks.join(" ")}>${escaped(text)}</tspan>`;
}

function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
