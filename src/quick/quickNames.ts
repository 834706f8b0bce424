import { callCommands } from "../domain/surfaces/operations/callCommands.ts"

/**
 * The quick commands by their words, with the supported flags; null for all flags. Any other flag needs the whole
 * program. The build generates `#generated/quickForms.json` from this.
 */
export const quickNames: Readonly<Record<string, ReadonlyArray<string> | null>> = {
  status: ["json"],
  "queue show": null,
  screen: null,
  last: null,
  wait: ["until", "timeout", "json"],
  keys: ["force"],
  mode: ["auto-send", "churn", "night", "json"],
  send: ["json", "front", "force"],
  log: null,
  report: null,
  audit: null,
  ...Object.fromEntries(
    callCommands.map(({ flags = [], json, name, sessions }) => [
      name,
      [...flags.map((flag) => flag.name), ...(sessions === "one" && json !== true ? [] : ["json"])]
    ])
  )
}
