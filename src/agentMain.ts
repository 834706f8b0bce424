import { Effect, Layer } from "effect"
import * as AgentProviderHttp from "./layers/headless/http/AgentProviderHttp.ts"
import * as AgentHooksSpool from "./layers/headless/AgentHooksSpool.ts"
import * as AgentProvidersConfigured from "./layers/headless/AgentProvidersConfigured.ts"
import * as HookInboxSpool from "./layers/files/HookInboxSpool.ts"
import * as HookInstallerFile from "./layers/files/HookInstallerFile.ts"
import * as PidMapFile from "./layers/files/PidMapFile.ts"
import * as HttpClientNode from "./layers/system/HttpClientNode.ts"
import * as ProcessTableNode from "./layers/system/ProcessTableNode.ts"
import { System } from "./services/System.ts"
import { UserSettings } from "./services/UserSettings.ts"

/** The user's rules apply to headless CLIs through these hooks. */
const hooks = AgentHooksSpool.layer.pipe(
  Layer.provide([HookInboxSpool.layer, HookInstallerFile.layer, PidMapFile.layer])
)

/** Uses the proxies of the user's environment. */
const http = Layer.unwrap(Effect.map(System, ({ env }) => HttpClientNode.layerOf(env)))

/** The headless providers: the CLIs, with the user's settings, and servers that speak OpenAI's protocol. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { settings } = yield* (yield* UserSettings).read
    return AgentProvidersConfigured.layerOf(
      [AgentProviderHttp.layer, ...AgentProviderHttp.endpointLayers(settings.endpoints)],
      settings
    )
  })
).pipe(Layer.provide(hooks), Layer.provide([http, ProcessTableNode.layer]))
