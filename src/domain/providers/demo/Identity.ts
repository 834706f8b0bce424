import { identify } from "../../cli/provider/Identity.ts"

/** The bundled scripted CLI. */
export const demoIdentity = identify({
  id: "demo",
  displayName: "leap demo",
  binary: "leap",
  installHint: "it is part of leap",
  bundled: true
})

/** The folder of the demo CLI's own files. */
export const demoHome = (env: Readonly<Record<string, string>>): string =>
  env["LEAP_DEMO_HOME"] ?? `${env["HOME"] ?? ""}/.leap-demo`
