import { baseName, isSure, type Words } from "./ShellWords.ts"
import { setOf } from "./knownPrograms/Program.ts"
import { readsList } from "./knownPrograms/shellPrograms.ts"
import { type UrlPattern, urlAllowed } from "./UrlPattern.ts"

/** curl's options with a value. All of them are harmless by curl's description (`knownPrograms/remote.ts`). */
const valued =
  /^-[sSfLvkiIGNg46]*[XHdmwAeuro]$|^--(request|header|data[\w-]*|json|max-time|connect-timeout|write-out|user-agent|retry(-delay|-max-time)?|output)$/

/** The addresses that curl requests, all of them certain; null if one may be elsewhere in the line. */
const curlAddresses = (args: Words): ReadonlyArray<string> | null => {
  const found: Array<string> = []
  let before = ""
  for (const word of args) {
    const { text } = word
    const isValue = valued.test(before)
    before = isValue ? "" : text
    // a word that the shell may split has an address only in its first part
    if (!isSure(word) || /^--url/.test(before)) return null
    if (isValue || valued.test(text)) continue
    if (/[{}[\]\\]/.test(text.replace(/^(?:https?:\/\/)?\[[\da-f:]+\]/i, ""))) return null
    if (!/^-/.test(text)) found.push(/^\w+:\/\//.test(text) ? text : `http://${text}`)
  }
  return found.length === 0 ? null : found
}

/** Whether a command is curl, and requests only addresses that the pattern matches. Its other effects do not count. */
export const asksOnly = (pattern: UrlPattern, [head, ...args]: Words): boolean => {
  const addresses = baseName(head?.text ?? "") === "curl" ? curlAddresses(args) : null
  return addresses !== null && addresses.every((address) => urlAllowed(pattern, address))
}

const connecting = setOf(
  "curl wget http https xh aria2c lynx w3m links ssh scp sftp rsync ftp nc ncat netcat telnet openssl socat git"
)

/** An address whose host is certain, whatever follows it. */
const certainHost = /^[a-z][a-z\d+.-]*:\/\/[^/@\\{}[\]*?$]+\//i

/** Whether a command may connect to an address that its words do not show. */
export const mayConnect = ([head, ...args]: Words): boolean => {
  const program = baseName(head?.text ?? "")
  if (!connecting.has(program)) return false
  if (
    program === "git" &&
    !args.some(({ text }) => /^(?:clone|fetch|pull|push|ls-remote|remote|submodule)$/.test(text))
  )
    return false
  return (
    readsList(program, args) ||
    args.some(
      (word) =>
        !certainHost.test(word.text.slice(0, word.sure)) &&
        (!isSure(word) ||
          (program === "curl" && /:\/\/.*[{[]|^[^:/?]*[{[]/.test(word.text) && !/[\s"]/.test(word.text)))
    )
  )
}
