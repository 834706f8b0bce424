/** How a CLI's own settings name a lifecycle hook: where the file is and what it must hold. */
export interface HookWiring {
  /** The settings file, from the CLI's environment (HOME, CLAUDE_CONFIG_DIR …). */
  readonly settingsFile: (env: Readonly<Record<string, string>>) => string
  /** Events to subscribe to. `decision`: the CLI waits for an answer on stdout. `timeout`: seconds given to the CLI for it. */
  readonly events: ReadonlyArray<{
    readonly event: string
    readonly decision: boolean
    readonly timeout: number
    readonly matcher: string | null
  }>
}
