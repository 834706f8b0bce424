import { Result } from "effect"
import type { HookWiring, WiredFile } from "../../cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"
import { opencodeConfig } from "./Identity.ts"
import { opencodePlugin } from "./WiringPlugin.ts"

/** The name of leap's hook script. The plugin names it in a comment, which marks the file as leap's. */
const marker = "leap-hook.sh"

/** A file that is leap's alone: it has leap's content and is deleted with leap's wiring. */
const ownFile = (path: string, content: string): WiredFile => ({
  path,
  install: (text) =>
    text === null || text.includes(marker)
      ? Result.succeed(content)
      : Result.fail({
          line: null,
          column: null,
          why: "leap needs a file of this name, but there is one that is not leap's"
        }),
  remove: (text) => Result.succeed(text?.includes(marker) === true ? null : text),
  status: (text) => {
    if (text === content) return { state: "installed", details: [] }
    if (text === null) return { state: "missing", details: ["it is not there"] }
    return text.includes(marker)
      ? { state: "outdated", details: ["it is of another version of leap"] }
      : { state: "unreadable", details: ["a file of this name that is not leap's is there"] }
  }
})

/*
 * With a plugin, OpenCode waits at every start until the package `@opencode-ai/plugin` is in its settings directory.
 * npm installs it once. Without a network, each start shows a blank screen for over a minute. So while the package is
 * missing, an .npmrc makes npm give up at once. npm reads it only beside a package.json.
 */
const dependency = "@opencode-ai/plugin"
const npmrc =
  '# leap-hook.sh: put here by "leap hooks install", so that OpenCode starts at once ' +
  "where its plugin package cannot be fetched\nfetch-retries=0\nfetch-timeout=10000\n"
/** The space after the brace marks the file as leap's, until OpenCode or the user writes something into it. */
const packageJson = '{ \n  "private": true\n}\n'

/** A file that leap writes only if there is none and package.json does not name the plugin's package. */
const companionFile = (path: string, content: string, packageFile: string, plugin: WiredFile): WiredFile => ({
  path,
  install: (text, present) =>
    Result.succeed(text === null && present(packageFile)?.includes(dependency) !== true ? content : text),
  remove: (text) => Result.succeed(text === content ? null : text),
  // Nothing depends on this file, so its status is the plugin's.
  status: (_, present) => ({ ...plugin.status(present(plugin.path), present), details: [] })
})

/** OpenCode's hooks as leap wires them: a plugin, which OpenCode loads from the `plugin` folder of its settings. */
export const opencodeHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env }) => {
    const home = opencodeConfig(env)
    const plugin = ownFile(`${home}/plugin/leap.js`, opencodePlugin)
    const packageFile = `${home}/package.json`
    return [
      companionFile(packageFile, packageJson, packageFile, plugin),
      companionFile(`${home}/.npmrc`, npmrc, packageFile, plugin),
      plugin
    ]
  }
}
