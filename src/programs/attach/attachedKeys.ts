import { detachKey } from "../../domain/terminal/sequences/DetachKey.ts"
import type { AttachKeys } from "../../domain/surfaces/overlay/InputPath.ts"
import type { OverlayContext } from "../../domain/surfaces/overlay/Overlay.ts"
import type { AttachSettings } from "../../domain/store/settings/Settings.ts"

export const standardDetachKey = "ctrl-\\"

/** Leap's own keys, and their names; null if the detach key is invalid. */
export const attachKeys = (
  settings: AttachSettings,
  detachName: string,
  can: { readonly write: boolean; readonly suspend: boolean },
  /** Whether the host can recall history entries, and whether it does so at `auto`, since the CLI does not. */
  recall: { readonly can: boolean; readonly itself: boolean } = { can: false, itself: false }
): { readonly keys: AttachKeys; readonly names: OverlayContext["names"] } | null => {
  const detach = detachKey(detachName)
  if (detach === null) return null
  const command = settings.commandKey !== "off" ? detachKey(settings.commandKey) : null
  const capture = can.write && settings.capture !== "off" ? settings.capture : null
  const suspend = can.suspend && settings.suspendKey !== "off" ? detachKey(settings.suspendKey) : null
  const recalls = can.write && recall.can && (settings.recall === "on" || (settings.recall === "auto" && recall.itself))
  return {
    keys: { detach, command, capture: capture?.slice(0, 1) ?? null, suspend, recall: recalls },
    names: {
      detach: detachName,
      command: command === null ? null : settings.commandKey,
      capture,
      suspend: suspend === null ? null : settings.suspendKey
    }
  }
}

/** The line below the screen of a newly started session: its CLI, leap's keys, and the way back. */
export const startHint = (cli: string, tag: string, { capture, command, detach }: OverlayContext["names"]): string =>
  [
    cli,
    ...(capture === null ? [] : [`${capture} message`]),
    ...(command === null ? [] : [`${command} menu`]),
    `${detach} leaves`,
    `leap ${tag} comes back`
  ].join(" · ")

/** The note before the screen is shown. `inside`: the session in whose terminal this runs; its keys come first. */
export const openingNote = (
  tag: string,
  { command, detach }: OverlayContext["names"],
  inside: string | null
): string => {
  const menu = command === null ? "" : `, ${command} opens leap's menu`
  if (inside === null) return `[session '${tag}': ${detach} detaches${menu}]`
  const own = command === null ? "" : `; ${command} twice, then d, detaches '${tag}'`
  return `[session '${tag}', inside '${inside}': where that is attached, ${detach} leaves '${inside}'${own}]`
}
