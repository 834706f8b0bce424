import { baseName, isSure, type ShellWord } from "./ShellWords.ts"
import { type UrlPattern, urlAllowed } from "./UrlPattern.ts"

type Words = ReadonlyArray<ShellWord>

/** curl's options that a value follows; that all of them are harmless, its description says. */
const valued =
  /^-[sSfLvkiIGNg46]*[XHdmwAeuro]$|^--(?:request|header|data[\w-]*|json|max-time|connect-timeout|write-out|user-agent|retry(?:-delay|-max-time)?|output)$/

/** The addresses that curl asks, all of them certain; null where one may stand elsewhere. */
const curlAddresses = (args: Words): ReadonlyArray<string> | null => {
  const found: Array<string> = []
  for (let i = 0; i < args.length; i++) {
    const { text } = args[i]!
    if (!isSure(args[i]!) || /^--url/.test(text)) return null
    if (valued.test(text)) i++
    else if (/[{}[\]\\]/.test(text.replace(/^(?:https?:\/\/)?\[[\da-f:]+\]/i, ""))) return null
    else if (!text.startsWith("-")) found.push(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  }
  return found.length === 0 ? null : found
}

/** Whether a command asks only addresses that the pattern matches, and does nothing else. */
export const asksOnly = (pattern: UrlPattern, words: Words): boolean => {
  const addresses = baseName(words[0]?.text ?? "") === "curl" ? curlAddresses(words.slice(1)) : null
  return addresses !== null && addresses.every((address) => urlAllowed(pattern, address))
}

const connecting: ReadonlySet<string> = new Set(
  "curl wget http https xh aria2c lynx w3m links ssh scp sftp rsync ftp nc ncat netcat telnet openssl socat git".split(
    " "
  )
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
  return args.some(
    (word) =>
      !certainHost.test(word.text.slice(0, word.sure)) &&
      (!isSure(word) || (program === "curl" && /:\/\/.*[{[]|^[^:/?]*[{[]/.test(word.text) && !/[\s"]/.test(word.text)))
  )
}
