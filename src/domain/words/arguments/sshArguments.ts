import type { RemoteHost } from "../session/RemoteHost.ts"
import { shellWord, shellWords } from "../text/shellWord.ts"

/**
 * `terminal`: the user's, so that leap there can draw. `pipe`: the user's standard streams; `output`: without the
 * input. `background`: nobody is there to be asked, and a connection that carries nothing ends within a minute.
 */
export type SshUse = "terminal" | "pipe" | "output" | "background"

const option = (text: string): ReadonlyArray<string> => ["-o", text]

const optionsFor: Readonly<Record<SshUse, ReadonlyArray<string>>> = {
  // without the line "Connection to … closed"
  terminal: ["-t", "-o", "LogLevel=ERROR"],
  pipe: ["-T"],
  output: ["-T", "-n"],
  background: [
    "-T",
    ...["BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=15", "ServerAliveCountMax=3"].flatMap(option),
    // those of the user's own connection are taken already
    ...option("ClearAllForwardings=yes")
  ]
}

/** The shell there expands a leading `~`. */
const programOf = (leap: string): string => (leap.startsWith("~/") ? `~/${shellWord(leap.slice(2))}` : shellWord(leap))

/** The arguments with which ssh runs leap with these words on that machine, whatever shell its user has there. */
export const sshArguments = (
  { destination, leap }: RemoteHost,
  words: ReadonlyArray<string>,
  use: SshUse
): ReadonlyArray<string> => [
  ...optionsFor[use],
  // a command of the user's configuration would stand in the way of this one
  ...option("RemoteCommand=none"),
  "--",
  destination,
  [programOf(leap), ...(words.length === 0 ? [] : [shellWords(words)])].join(" ")
]
