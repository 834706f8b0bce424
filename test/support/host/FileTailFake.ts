import { Context, Effect, Layer, Stream, SubscriptionRef } from "effect"
import { FileTail } from "../../../src/services/FileTail.ts"

/** What writes the files that are followed. */
export class FileTailFake extends Context.Service<
  FileTailFake,
  {
    readonly append: (path: string, ...lines: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("test/FileTailFake") {}

/** Files in memory that only grow. */
export const layer: Layer.Layer<FileTail | FileTailFake> = Layer.effectContext(
  Effect.gen(function* () {
    const files = yield* SubscriptionRef.make<Readonly<Record<string, ReadonlyArray<string>>>>({})
    /** Pieces of a file from that line on, as it grows. */
    const pieces = (path: string, from: number) =>
      SubscriptionRef.changes(files).pipe(
        Stream.map((all) => all[path] ?? []),
        Stream.changes,
        Stream.mapAccum(
          () => from,
          (read, lines) => [lines.length, lines.length > read ? [{ first: read, lines: lines.slice(read) }] : []]
        )
      )
    const length = (path: string) => Effect.map(SubscriptionRef.get(files), (all) => (all[path] ?? []).length)
    const tail = FileTail.of({
      follow: (path) =>
        Effect.map(length(path), (from) =>
          Stream.flatMap(pieces(path, from), ({ lines }) => Stream.fromIterable(lines))
        ),
      read: (path) =>
        Stream.map(pieces(path, 0), ({ first, lines }) => ({ restarted: first === 0, lines, atEnd: true })),
      last: () => Effect.succeed([]),
      within: (directory, ending) =>
        Effect.map(SubscriptionRef.get(files), (all) =>
          Object.keys(all).filter((path) => path.startsWith(`${directory}/`) && path.endsWith(ending))
        ),
      document: (path) =>
        Effect.map(SubscriptionRef.get(files), (all) => (path in all ? (all[path] ?? []).join("\n") : null))
    })
    return Context.make(FileTail, tail).pipe(
      Context.add(FileTailFake, {
        append: (path, ...lines) =>
          SubscriptionRef.update(files, (all) => ({ ...all, [path]: [...(all[path] ?? []), ...lines] }))
      })
    )
  })
)
