import { Result } from "effect"
import type { HookWiring, WiredEvent, WiredFile } from "../HookWiring.ts"
import { ownFile } from "../OwnFile.ts"
import { decidedEvents, openCodePlugin, toldEvents, toldHooks, toldPart } from "./OpenCodePlugin.ts"

const decided: ReadonlySet<string> = new Set(Object.values(decidedEvents))

// A plugin has no time-out: it looks to that itself.
const events: ReadonlyArray<WiredEvent> = [...toldEvents, toldPart, ...toldHooks.map((name) => `hook.${name}`)].map((event) =>
  ({ event, decision: decided.has(event), timeout: 0, matcher: null }))

/** OpenCode's own directory of settings. */
const directory = (env: Readonly<Record<string, string>>): string => {
  const named = env["XDG_CONFIG_HOME"]
  return `${named === undefined || named === "" ? `${env["HOME"] ?? ""}/.config` : named.replace(/(?<=.)\/+$/, "")}/opencode`
}

/*
 * With any plugin, OpenCode waits at every start until the package `@opencode-ai/plugin` is installed in the directory of
 * its settings, which it does once, with npm. Without a network that is over a minute before a blank screen, each time.
 * Where it has not been installed yet, npm is told to give up at once; it heeds that only beside a package.json.
 */
const dependency = "@opencode-ai/plugin"
const npmrc = `# leap-hook.sh: put here by "leap hooks install", so that OpenCode starts at once where its plugin package cannot be fetched
fetch-retries=0
fetch-timeout=10000
`
/** The space behind the bracket says whose it is, until OpenCode or the user writes something into it. */
const packageJson = "{ \n  \"private\": true\n}\n"

/** A file that is put where there is none and the plugin package is still to come; whatever else is there stays. */
const aside = (path: string, content: string, packageFile: string, plugin: WiredFile): WiredFile => ({
  path,
  install: (text, present) =>
    Result.succeed(text === null && present(packageFile)?.includes(dependency) !== true ? content : text),
  remove: (text) => Result.succeed(text === content ? null : text),
  // Nobody depends on it.
  status: (_, present) => ({ ...plugin.status(present(plugin.path), present), details: [] })
})

/** OpenCode's hooks as leap wires them: a plugin, which OpenCode loads from its settings' `plugin` folder. */
export const opencodeHooks: HookWiring = {
  events,
  files: ({ env }) => {
    const home = directory(env)
    const plugin = ownFile(`${home}/plugin/leap.js`, openCodePlugin)
    const packageFile = `${home}/package.json`
    return [aside(packageFile, packageJson, packageFile, plugin), aside(`${home}/.npmrc`, npmrc, packageFile, plugin), plugin]
  }
}
