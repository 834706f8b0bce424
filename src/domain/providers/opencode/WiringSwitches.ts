import type { HookSwitches } from "../../cli/wiring/HookSwitches.ts"

const isOn = (value: string | undefined): boolean => /^(1|true)$/i.test(value ?? "")

/** What keeps OpenCode from loading leap's plugin: it is started without any. */
export const switches: HookSwitches = {
  files: () => [],
  off: ({ args, env }) => [
    ...(args.includes("--pure") ? ["--pure loads no plugins"] : []),
    ...(isOn(env["OPENCODE_PURE"]) ? ["OPENCODE_PURE loads no plugins"] : [])
  ]
}
