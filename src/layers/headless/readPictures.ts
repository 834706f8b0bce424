import { Effect, FileSystem } from "effect"
import { type Picture, mediaTypeOf, pictureLimit } from "../../domain/cli/headless/AgentCli.ts"
import { AgentOptionError } from "../../services/AgentProvider.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"

export const readPictures = Effect.fn("agents.readPictures")(function* (
  provider: string,
  images: ReadonlyArray<string>,
  cwd: string
) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.forEach(
    images,
    Effect.fnUntraced(function* (image) {
      const refuse = (why: string) => new AgentOptionError({ provider, option: "images", why: `'${image}' ${why}` })
      const path = absolutePath(cwd, image)
      const info = yield* Effect.option(files.stat(path))
      if (info._tag === "None" || info.value.type !== "File") return yield* refuse("is no file that can be read")
      if (info.value.size > pictureLimit) return yield* refuse(`is larger than ${pictureLimit >> 20} MiB`)
      const bytes = yield* Effect.mapError(files.readFile(path), () => refuse("cannot be read"))
      const mediaType = mediaTypeOf(bytes)
      if (mediaType === null) return yield* refuse("is no picture that models take (PNG, JPEG, GIF, WebP)")
      return { path, mediaType, base64: Buffer.from(bytes).toString("base64") } satisfies Picture
    })
  )
})
