import type { OptionName } from "../../src/web/wire.ts";
import type { Preview } from "../types.ts";

export type Options = Readonly<Partial<Record<OptionName, string>>>;

const keyOf = (action: string): string => `pawl-choices-${action}`;

/** What was chosen last for a run; a hint is about one step. */
export function remembered(action: string): Options {
  if (action !== "run") return {};
  try {
    return JSON.parse(localStorage.getItem(keyOf(action)) ?? "{}") as Options;
  } catch {
    return {};
  }
}

export const remember = (action: string, options: Options): void => {
  if (action === "run") localStorage.setItem(keyOf(action), JSON.stringify(options));
};

export const Fields = ({
  fields,
  options,
  onChoose,
}: {
  readonly fields: NonNullable<Preview["fields"]>;
  readonly options: Options;
  readonly onChoose: (name: OptionName, value: string) => void;
}) => (
  <div class="fields">
    {fields.map((field) => (
      <label key={field.name} class={`field ${field.kind}`}>
        {field.kind === "flag" ? (
          <>
            <input
              type="checkbox"
              checked={options[field.name] === "1"}
              onChange={(event) => onChoose(field.name, event.currentTarget.checked ? "1" : "")}
            />{" "}
            {field.label}
          </>
        ) : (
          <>
            <span>{field.label}</span>
            <FieldInput field={field} value={options[field.name] ?? ""} onChoose={onChoose} />
          </>
        )}
      </label>
    ))}
  </div>
);

function FieldInput({
  field: { name, kind, choices = [], placeholder = "", is_needed: isNeeded },
  value,
  onChoose,
}: {
  readonly field: NonNullable<Preview["fields"]>[number];
  readonly value: string;
  readonly onChoose: (name: OptionName, value: string) => void;
}) {
  const heard = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onChoose(name, event.currentTarget.value);
  if (kind === "choice")
    return (
      <select value={choices.includes(value) ? value : ""} onChange={heard}>
        {choices.map((choice, index) => (
          <option key={choice} value={index === 0 ? "" : choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (kind === "long")
    return <textarea rows={3} maxLength={4000} placeholder={placeholder} value={value} onInput={heard} />;
  return (
    <input
      inputMode={kind === "number" ? "numeric" : "text"}
      maxLength={200}
      required={isNeeded === true}
      placeholder={placeholder}
      value={value}
      onInput={heard}
    />
  );
}
