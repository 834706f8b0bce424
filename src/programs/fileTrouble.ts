import type { PlatformError } from "effect"

/** The system's words for what is in the way of a file, in a user's. */
const words: Readonly<Record<string, string>> = {
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

/** What is in the way of reading or writing a file. */
export const fileTrouble = ({ message, reason }: PlatformError.PlatformError): string => {
  const cause: unknown = reason.cause
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return words[code] ?? message
}
