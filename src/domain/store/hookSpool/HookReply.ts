/** The files in the spool by which the host answers a hook. Only events have a number after the first comma. */

/** The file that lists the events whose hooks wait for a decision. */
export const decisionFile = "decision"

/** The decision file's text: the pid of the answering host, and the events whose hooks wait. */
export const decisionText = (hostPid: number, events: ReadonlyArray<string>): string =>
  `leap-decision 2 ${[hostPid, ...events].join(" ")}\n`

/** The files of a call: the host's reply, and the script's `taken` (perhaps a line in the bell file) or `gave-up`. */
export const replyName = (mark: string): string => `reply,${mark}`
export const isReply = (name: string): boolean => name.startsWith(replyName(""))
export const takenName = (mark: string): string => `taken,${mark}`
export const gaveUpName = (mark: string): string => `gave-up,${mark}`

/** The file with the line that an event's hook prints while the host cannot answer it. */
export const silentName = (event: string): string => `silent,${event}`

export const silentText = (line: string): string => `${line.replaceAll(/[\r\n]+/g, " ").trim()}\n`

/** The mark of the call to which one of these files belongs; null for any other file. */
export const callOf = (name: string): string | null => /^(?:reply|taken|gave-up),(.*)$/s.exec(name)?.[1] ?? null

/** The reply file's text, with the line that the hook prints. Null and "" both mean no decision. */
export const replyText = (mark: string, line: string | null): string =>
  // A line break in JSON is whitespace between its parts, so a space can replace it.
  `leap-reply 1 ${mark}\n${(line ?? "").replaceAll(/[\r\n]+/g, " ").trim()}\nend\n`
