import type { Preview } from "../types.ts";

/** What an action would do, and what it leaves alone. */
export const What = ({ preview }: { readonly preview: Preview }) => (
  <div class="what">
    <h3>What happens</h3>
    <ul>
      {preview.effects.map((effect) => (
        <li key={effect}>{effect}</li>
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
        <li key={kept}>{kept}</li>
      ))}
    </ul>
  </div>
);
