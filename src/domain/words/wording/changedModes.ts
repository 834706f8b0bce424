import type { Modes, ModesChange } from "../session/Session.ts"

export const changedModes = (
  { autoSend, churn, mute = "off", night = "off" }: Modes,
  change: typeof ModesChange.Type
) =>
  [
    change.autoSend === undefined ? "" : `auto-send ${autoSend}`,
    change.churn === undefined ? "" : `churn ${churn}`,
    change.night === undefined ? "" : `night ${night}`,
    change.mute === undefined ? "" : mute === "off" ? "not muted" : mute === "on" ? "muted" : `muted until ${mute}`
  ]
    .filter((part) => part !== "")
    .join(", ")
