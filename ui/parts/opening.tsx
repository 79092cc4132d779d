import { Sheet } from "./sheet.tsx";

/** A page that an action has started elsewhere. */
export interface Made {
  readonly folder: string;
  readonly link: string;
}

/** Its link opens one window, once: a person follows it, because a browser stops tabs that open by themselves. */
export const Opening = ({ folder, link, onClose }: Made & { readonly onClose: () => void }) => (
  <Sheet label="The demo is running" kind="deciding" onClose={onClose}>
    <h2>The demo is running</h2>
    <p>
      It is in <code>{folder}</code>.
    </p>
    <div class="deciders">
      <button type="button" onClick={onClose}>
        Close
      </button>
      <a class="button first" href={link} target="_blank" rel="noopener" onClick={onClose}>
        Open its page
      </a>
    </div>
  </Sheet>
);
