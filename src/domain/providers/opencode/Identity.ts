import { identify } from "../../cli/provider/Identity.ts"
import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

export const opencodeIdentity = identify({
  id: "opencode",
  displayName: "OpenCode",
  binary: "opencode",
  installHint: "install it with: npm install -g opencode-ai",
  checkedVersion: "1.18.33",
  inside: ["OPENCODE", "OPENCODE_PID", "OPENCODE_TERMINAL"]
})

export const opencodeConfig = (env: Readonly<Record<string, string>>): string =>
  `${directoryBy(env, "XDG_CONFIG_HOME", inHome(env, ".config"))}/opencode`
