import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { HelpPages } from "../../services/HelpPages.ts"
import { StoreError } from "../../services/StoreError.ts"

/** Beside the folder of the program, in a package and in a clone; or above a source file. */
const places = [path.resolve(import.meta.dirname, "../docs"), path.resolve(import.meta.dirname, "../../../docs")]

/** The pages of the first of these folders that has them. */
export const layerOf = (folders: ReadonlyArray<string>): Layer.Layer<HelpPages> =>
  Layer.succeed(HelpPages, {
    all: Effect.try({
      try: () => {
        const folder = folders.find((one) => fs.existsSync(path.join(one, "troubleshooting.md")))
        if (folder === undefined) throw new Error(`they are not in ${folders[0]}`)
        const names = fs.readdirSync(folder).filter((name) => name.endsWith(".md"))
        return new Map(
          names.sort().map((name) => [path.basename(name, ".md"), fs.readFileSync(path.join(folder, name), "utf8")])
        )
      },
      catch: (cause) =>
        new StoreError({ store: "documents", reason: "missing", file: folders[0] ?? "", why: errorTextOf(cause) })
    })
  })

export const layer = layerOf(places)
