import type { PlatformError } from "effect"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"

const explanations: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such directory",
  EISDIR: "it is a directory",
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "it is on a disk that cannot be written to",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it has become too large",
  EIO: "the disk failed"
}

export const fileProblem = ({ message, reason }: PlatformError.PlatformError): string =>
  explanations[errorCodeOf(reason.cause)] ?? message
