import { Redacted, Result } from "effect"
import * as fs from "node:fs"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { expand } from "../../domain/store/settings/CustomCli.ts"
import type { SecretPlace } from "../../domain/store/settings/OutSettings.ts"

type Environment = Readonly<Record<string, string>>

/** More bytes than any secret has. */
const largest = 16_384

const problemOf = (file: string, stat: fs.Stats): string | null => {
  if (!stat.isFile()) return `${file} is no file`
  if (process.getuid !== undefined && stat.uid !== process.getuid() && stat.uid !== 0)
    return `${file} belongs to another user`
  if ((stat.mode & 0o077) !== 0) return `others may read ${file}: 'chmod 600 ${file}' mends it`
  return stat.size > largest ? `${file} is too large for a secret` : null
}

/** The text of a file that nobody else may read, or why it cannot be read. The checked file is the one that is read. */
const readOwn = (written: string, file: string): Result.Result<string, string> => {
  let descriptor: number | null = null
  try {
    // A named pipe would wait for its writer.
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY)
    const why = problemOf(written, fs.fstatSync(descriptor))
    return why === null ? Result.succeed(fs.readFileSync(descriptor, "utf8")) : Result.fail(why)
  } catch (cause) {
    return Result.fail(`${written} cannot be read (${errorCodeOf(cause)})`)
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor)
  }
}

/** The secret at a place, without surrounding white space; else why there is none, without its text. */
export const secretAt = (place: SecretPlace, env: Environment): Result.Result<Redacted.Redacted, string> => {
  const where = "env" in place ? `$${place.env}` : place.file
  const found = "env" in place ? Result.succeed(env[place.env] ?? "") : readOwn(place.file, expand(place.file, env))
  return Result.flatMap(found, (text) => {
    const secret = text.trim()
    if (secret === "") return Result.fail(`there is no secret in ${where}`)
    return /[^\u0021-\u007e]/.test(secret)
      ? Result.fail(`what is in ${where} is no secret`)
      : Result.succeed(Redacted.make(secret))
  })
}
