/** The folder of the demo CLI's own files. */
export const demoHome = (env: Readonly<Record<string, string>>): string =>
  env["LEAP_DEMO_HOME"] ?? `${env["HOME"] ?? ""}/.leap-demo`
