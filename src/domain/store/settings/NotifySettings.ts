import { Schema } from "effect"
import { minutesOfDay } from "../../words/reading/DayTime.ts"
import { quietSpan } from "./quietSpan.ts"
import { targetsOf, PushTarget } from "./PushTarget.ts"
import { checked, choice, flag, part, setting, table } from "./settingKinds.ts"
import { text } from "./settingsNodes.ts"

/** How a terminal notifies: by the bell, by one of the sequences for notifications, or by what it is known to read. */
export const TerminalNotices = Schema.Literals(["auto", "bell", "osc9", "osc99", "osc777", "off"])
export type TerminalNotices = typeof TerminalNotices.Type

/** Whether the desktop notifies. `auto`: if the session was started on one; a failure is then not reported. */
const DesktopNotices = Schema.Union([Schema.Boolean, Schema.Literal("auto")])
const isDesktop = (value: unknown): value is typeof DesktopNotices.Type =>
  typeof value === "boolean" || value === "auto"

const isAmount = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && value >= 0 && value < Infinity)
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 100
const isDayTime = (value: unknown): value is string | null =>
  value === null || (typeof value === "string" && minutesOfDay(value) !== null)
const isQuiet = (value: unknown): value is string | null =>
  value === null || (typeof value === "string" && quietSpan(value) !== null)

const push = Schema.Array(PushTarget)
const pushInFile = Schema.Array(
  Schema.Struct({
    ...PushTarget.fields,
    format: part("ntfy (default), or json: one object with all that is known", PushTarget.fields.format)
  })
)

export const notify = table("What you are told of, how, and when not", {
  needsYou: flag("A session waits for your answer", true),
  doneAfterMinutes: checked(
    "Work is over that took longer, a turn or all that was queued; null: never",
    Schema.NullOr(Schema.Finite),
    1,
    isAmount,
    "a number of minutes, or null"
  ),
  failed: flag("A turn failed, or the CLI ended with an error", true),
  limit: flag("The usage limit is reached", true),
  terminal: choice(
    "How attached terminals are told: auto (default) goes by which terminal it is",
    TerminalNotices,
    "auto"
  ),
  desktop: checked(
    "By notify-send, or osascript on macOS; auto (default): where the session was started on a desktop",
    DesktopNotices,
    "auto",
    isDesktop,
    'true, false or "auto"'
  ),
  push: setting("Where a notice is posted to", push, [], targetsOf, pushInFile),
  quietHours: checked(
    "When nothing is told: 22:30-07:00",
    Schema.NullOr(Schema.String),
    null,
    isQuiet,
    'hours like "22:30-07:00", or null'
  ),
  titles: flag("The title of an attached terminal carries tag and state", true)
})
export const NotifySettings = notify.value
export type NotifySettings = typeof NotifySettings.Type
export const defaultNotify: NotifySettings = notify.otherwise

/** What may happen after a limit while nobody looks. An unreadable value turns it off: nothing is sent unasked. */
export const night = table(
  "How a session of the mode night=on goes on when its usage limit is over",
  {
    message: setting(
      "What is sent when the limit is over: continue",
      Schema.String,
      "continue",
      (node, path, { notes }) => text(node, path, notes) ?? "continue"
    ),
    stop: checked(
      "From this time of day on nothing is sent any more: 08:00",
      Schema.NullOr(Schema.String),
      "08:00",
      isDayTime,
      'a time like "08:00", or null'
    ),
    most: checked("So often in one night at most: 3", Schema.Int, 3, isCount, "a number up to 100"),
    ceilingUsd: checked(
      "Nothing is sent once the session has cost so much",
      Schema.NullOr(Schema.Finite),
      null,
      isAmount,
      "a number, or null"
    )
  },
  {
    unreadable: (standard) => ({ ...standard, most: 0 }),
    doubted: {
      says: "until it is mended, no session goes on by itself",
      then: (read) => ({ ...read, most: 0 })
    }
  }
)
export const NightSettings = night.value
export type NightSettings = typeof NightSettings.Type
export const defaultNight: NightSettings = night.otherwise
