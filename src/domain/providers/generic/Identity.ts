import { identify } from "../../cli/provider/Identity.ts"

/** Any program that leap has no rules for: `leap <tag> --cli generic -- COMMAND…`. */
export const genericIdentity = identify({
  id: "generic",
  displayName: "Another CLI",
  binary: "generic",
  installHint: "name its program: leap <tag> --cli generic -- COMMAND…",
  takesCommand: true
})
