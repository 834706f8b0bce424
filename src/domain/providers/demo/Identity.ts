import { identify } from "../../cli/provider/Identity.ts"

export const demoIdentity = identify({
  id: "demo",
  displayName: "leap demo",
  binary: "leap",
  installHint: "it is part of leap",
  bundled: true
})

export const demoHome = (env: Readonly<Record<string, string>>): string =>
  env["LEAP_DEMO_HOME"] ?? `${env["HOME"] ?? ""}/.leap-demo`
