import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import { eventsByVersion, type HookWiring, type WiringTrialRun } from "../../cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"
import { codexIdentity, codexHome } from "./Identity.ts"
import { trustFile } from "./WiringTrust.ts"

/** A prompt for a model on a port where nobody listens: the session starts, calls its hook, and does no more. */
const nobody = '{name="nobody",base_url="http://127.0.0.1:9/v1",wire_api="responses",request_max_retries=0}'
const trial: WiringTrialRun = {
  event: "SessionStart",
  args: [
    "exec",
    "--skip-git-repo-check",
    ...["check_for_update_on_startup=false", "analytics.enabled=false", 'model_provider="nobody"'].flatMap((it) => [
      "-c",
      it
    ]),
    "-c",
    `model_providers.nobody=${nobody}`,
    "x"
  ],
  env: (directory) => ({ CODEX_HOME: directory, OPENAI_API_KEY: null, CODEX_API_KEY: null })
}

/** Codex's hooks as leap wires them, and the user's trust in them, without which Codex would ask at its start. */
export const codexHooks: HookWiring = {
  events: wiredEvents,
  trial,
  files: (place) => {
    const { env, realPath, script } = place
    // Codex resolves links in a given directory, but not in its default one.
    const directory = env["CODEX_HOME"] ? realPath(codexHome(env)) : codexHome(env)
    const wanted = {
      ...eventsByVersion(wiredEvents, place, codexIdentity.oldestVersion),
      script,
      shape: groupedHooks,
      strict: true
    }
    const hooksJson = settingsFile(`${directory}/hooks.json`, wanted)
    return [trustFile(`${directory}/config.toml`, hooksJson, place), hooksJson]
  }
}
