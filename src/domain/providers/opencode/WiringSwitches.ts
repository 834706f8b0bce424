import type { HookSwitches } from "../../cli/wiring/HookSwitches.ts"

const isOn = (value: string | undefined): boolean => /^(1|true)$/i.test(value ?? "")

/** OpenCode does not load leap's plugin if it is started without plugins. */
export const switches: HookSwitches = {
  files: () => [],
  off: ({ args, env }) => [
    ...(args.includes("--pure") ? ["--pure loads no plugins"] : []),
    ...(isOn(env["OPENCODE_PURE"]) ? ["OPENCODE_PURE loads no plugins"] : [])
  ]
}
