import { Effect } from "effect"
import * as fs from "node:fs/promises"
import type { OwnKeys } from "../../domain/cli/provider/OwnKeys.ts"
import type { Provider } from "../../services/CLIProvider.ts"

/** The key by which a CLI's own settings say that a message is sent, read anew each time: it is changed at any time. */
export const submitKeyBy =
  (load: () => Promise<OwnKeys>): NonNullable<Provider["submitKey"]> =>
  (env) =>
    Effect.gen(function* () {
      const { files, submit } = yield* Effect.promise(load)
      const texts = yield* Effect.forEach(files(env), (file) =>
        Effect.tryPromise(() => fs.readFile(file, "utf8")).pipe(Effect.orElseSucceed(() => null))
      )
      return submit(texts)
    })
