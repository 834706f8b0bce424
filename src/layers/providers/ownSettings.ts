import { Effect } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { OwnKeys } from "../../domain/cli/provider/OwnKeys.ts"
import type { HookSwitches } from "../../domain/cli/wiring/HookSwitches.ts"
import type { Provider } from "../../services/CLIProvider.ts"

/** The submit key in a CLI's own settings, read each time: it can change at any time. */
export const submitKeyBy =
  (load: () => Promise<{ readonly keys: OwnKeys }>): NonNullable<Provider["submitKey"]> =>
  (env) =>
    Effect.gen(function* () {
      const { keys } = yield* Effect.promise(load)
      return keys.submit(yield* Effect.forEach(keys.files(env), textOf))
    })

const textOf = (file: string) =>
  Effect.tryPromise(() => fs.readFile(file, "utf8")).pipe(Effect.orElseSucceed(() => null))

/** The files of a layer of settings: `…/*.json` means all such files of a directory. */
const filesOf = (pattern: string): Effect.Effect<ReadonlyArray<string>> =>
  pattern.endsWith("/*.json")
    ? Effect.tryPromise(() => fs.readdir(path.dirname(pattern))).pipe(
        Effect.map((names) =>
          names
            .filter((name) => name.endsWith(".json") && !name.startsWith("."))
            .toSorted()
            .map((name) => path.join(path.dirname(pattern), name))
        ),
        Effect.orElseSucceed(() => [])
      )
    : Effect.succeed([pattern])

export const hooksOffBy =
  (load: () => Promise<{ readonly switches: HookSwitches }>): NonNullable<Provider["hooksOff"]> =>
  (place) =>
    Effect.gen(function* () {
      const { switches } = yield* Effect.promise(load)
      const patterns = new Set(switches.files(place).map((file) => path.resolve(place.directory, file)))
      const paths = (yield* Effect.forEach([...patterns], filesOf)).flat()
      const texts = yield* Effect.forEach(paths, (path) => Effect.map(textOf(path), (text) => ({ path, text })))
      return switches.off(
        place,
        texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
      )
    })
