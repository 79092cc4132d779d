import type { ComponentChildren } from "preact";
import type { Preview } from "../types.ts";

/** What stands between backticks is a command. */
const withCode = (text: string): ComponentChildren =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

/** What an action would do, and what it leaves alone. */
export const What = ({ preview }: { readonly preview: Preview }) => (
  <div class="what">
    <h3>What happens</h3>
    <ul>
      {preview.effects.map((effect) => (
        <li key={effect}>{withCode(effect)}</li>
      ))}
    </ul>
    {preview.adds && preview.adds.length > 0 && (
      <pre class="adds" tabIndex={0} aria-label="Lines that the file gets">
        {preview.adds.join("\n").trim()}
      </pre>
    )}
    <h3>What is kept</h3>
    <ul>
      {preview.keeps.map((kept) => (
        <li key={kept}>{withCode(kept)}</li>
      ))}
    </ul>
  </div>
);
