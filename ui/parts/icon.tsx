/** Drawn on a grid of 16, one stroke wide. */
const PATHS = {
  overview: "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  sessions: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3.5",
  worktrees: "M4 2.5v11M4 6c0 3 8 1 8 5M12 11v2.5M2.5 2.5h3M10.5 13.5h3",
  journal: "M3 2h10v12H3zM5.5 5h5M5.5 8h5M5.5 11h3",
  timeline: "M2 4h6M5 8h7M4 12h4M10 12h4",
  doctor: "M8 13.5S2.5 10.3 2.5 6.4A2.9 2.9 0 0 1 8 5a2.9 2.9 0 0 1 5.5 1.4c0 3.9-5.5 7.1-5.5 7.1z",
  board: "M2 2.5h3.2v11H2zM6.4 2.5h3.2v7H6.4zM10.8 2.5H14v9h-3.2z",
  graph: "M2 6h4v4H2zM10 2h4v4h-4zM10 10h4v4h-4zM6 8h2V4h2M8 8v4h2",
  list: "M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9zM10.4 10.4L14 14",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  check: "M3 8.5l3.2 3.2L13 5",
  close: "M4 4l8 8M12 4l-8 8",
  arrow: "M6 3.5L10.5 8L6 12.5",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM8 5v3.2l2 1.3",
  alert: "M8 2.5L14 13.5H2zM8 6.5v3.4M8 11.6v.3",
  window: "M2 3h12v10H2zM2 6h12",
  up: "M8 13V3.5M4 7.5l4-4l4 4",
  diff: "M4 2.5v8M4 10.5l-2-2M4 10.5l2-2M12 13.5v-8M12 5.5l-2 2M12 5.5l2 2",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  read: "M2.5 3.5h4.5l1 1 1-1h4.5v9H9l-1 1-1-1H2.5z",
  edit: "M3 13l.8-3.2L10.5 3l2.5 2.5-6.8 6.7z",
  terminal: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3.5",
  tool: "M9.5 2.8a3.6 3.6 0 0 0-1 4.7L3 13l.9.9 5.5-5.5a3.6 3.6 0 0 0 4.6-4.7l-2.1 2.1-1.9-.3-.3-1.9z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

/** The wheel that turns one way only. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M16 5.8L23.97 5.48L22.56 8.19L28.87 13.06L26.05 14.23L27.75 22.02L24.83 21.1L21.13 28.16L19.49 25.58L12.11 28.61L12.51 25.58L4.91 23.16L7.17 21.1L2.9 14.36L5.95 14.23L7.02 6.32L9.44 8.19L15.34 2.82ZM16 11.4a4.6 4.6 0 1 0 0 9.2a4.6 4.6 0 1 0 0-9.2Z" />
  </svg>
);
