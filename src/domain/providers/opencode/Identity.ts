import { identify } from "../../cli/provider/Identity.ts"

/** OpenCode. */
export const opencodeIdentity = identify({
  id: "opencode",
  displayName: "OpenCode",
  binary: "opencode",
  installHint: "install it with: npm install -g opencode-ai",
  checkedVersion: "1.18.33",
  inside: ["OPENCODE", "OPENCODE_PID", "OPENCODE_TERMINAL"]
})
