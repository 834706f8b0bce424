import { Result } from "effect"
import { createHash } from "node:crypto"
import {
  type HookWiring,
  combineStatuses,
  type WiringPlace,
  type WiringStatus
} from "../../../src/domain/cli/wiring/HookWiring.ts"

export const script = "/home/me/.local/state/leap/hooks/leap-hook.sh"
/** The command of an event's hook: silent, and without failing, where the script is gone. */
export const commandOf = (event: string): string =>
  `sh -c '[ -f "$0" ] && [ -x "$0" ] && exec "$0" "$1" 2>/dev/null; cat >/dev/null 2>&1 || :' ${script} ${event}`

export const statusLineScript = script.replace("leap-hook", "leap-statusline")

/** A machine without links, as a wiring sees it. */
export const place = (more: Partial<WiringPlace> = {}): WiringPlace => ({
  env: { HOME: "/home/me" },
  script,
  statusLineScript,
  statusLine: false,
  realPath: (path) => path,
  sha256: (text) => createHash("sha256").update(text).digest("hex"),
  ...more
})

/** A CLI's files by their paths; what is not there is not in it. */
export type Texts = Readonly<Record<string, string>>

const after = (hooks: HookWiring, act: "install" | "remove", texts: Texts, on: WiringPlace): Texts => {
  const now: Record<string, string> = { ...texts }
  for (const file of hooks.files(on)) {
    const text = file[act](texts[file.path] ?? null, (path) => texts[path] ?? null)
    if (Result.isFailure(text))
      throw new Error(`${file.path}:${text.failure.line}:${text.failure.column} ${text.failure.why}`)
    if (text.success === null) delete now[file.path]
    else now[file.path] = text.success
  }
  return now
}

/** The files as an installation leaves them. */
export const installed = (hooks: HookWiring, texts: Texts, on = place()): Texts => after(hooks, "install", texts, on)
/** The files as a removal leaves them. */
export const removed = (hooks: HookWiring, texts: Texts, on = place()): Texts => after(hooks, "remove", texts, on)
/** What is said of all files combineStatuses. */
export const statusOf = (hooks: HookWiring, texts: Texts, on = place()): WiringStatus =>
  combineStatuses(hooks.files(on).map((file) => file.status(texts[file.path] ?? null, (path) => texts[path] ?? null)))
