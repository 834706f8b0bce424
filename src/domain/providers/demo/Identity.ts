import { identify } from "../../cli/provider/Identity.ts"

/** The bundled scripted CLI. */
export const demoIdentity = identify({
  id: "demo",
  displayName: "leap demo",
  binary: "leap",
  installHint: "it is part of leap",
  bundled: true
})
