import { Effect, FileSystem, Layer, PlatformError } from "effect"

type Before = (operation: string, count: number) => Effect.Effect<void, PlatformError.PlatformError>

const isEffect = (value: unknown): value is Effect.Effect<unknown, PlatformError.PlatformError> =>
  Effect.isEffect(value)

/** Runs `before` ahead of each operation of an object whose members are effects or functions that return them. */
const guarded = <A extends object>(
  real: A,
  prefix: string,
  before: (operation: string) => Effect.Effect<void, PlatformError.PlatformError>
): A => {
  const wrap = (name: string, value: unknown): unknown => {
    if (isEffect(value)) return Effect.andThen(before(prefix + name), value)
    if (typeof value !== "function") return value
    return (...args: ReadonlyArray<unknown>) => {
      const result: unknown = Reflect.apply(value, real, args)
      if (!isEffect(result)) return result
      const opened =
        name !== "open" ? result : Effect.map(result, (file) => guarded(file as FileSystem.File, "file.", before))
      return Effect.andThen(before(prefix + name), opened)
    }
  }
  return new Proxy(real, {
    get: (target, name) =>
      typeof name === "string" ? wrap(name, Reflect.get(target, name)) : Reflect.get(target, name)
  })
}

/** The file system beneath, with something that happens before each operation; they are counted from 0. */
export const layer = (before: Before): Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.gen(function* () {
      const real = yield* FileSystem.FileSystem
      let count = 0
      return guarded(real, "", (operation) => Effect.suspend(() => before(operation, count++)))
    })
  )

/** The failure an operation gives when the system refuses with this code. */
export const failure = (operation: string, code: string): PlatformError.PlatformError =>
  PlatformError.systemError({
    _tag: code === "EACCES" ? "PermissionDenied" : "Unknown",
    module: "FileSystem",
    method: operation,
    cause: Object.assign(new Error(`${code}: made to fail`), { code })
  })
