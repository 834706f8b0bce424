import { Result } from "effect"

const named: Readonly<Record<string, string>> = {
  esc: "\u001b",
  escape: "\u001b",
  enter: "\r",
  return: "\r",
  // Enter with modifiers has no older form, except with Alt.
  "s-enter": "\u001b[13;2u",
  "c-enter": "\u001b[13;5u",
  "m-enter": "\u001b\r",
  tab: "\t",
  "s-tab": "\u001b[Z",
  btab: "\u001b[Z",
  space: " ",
  backspace: "\u007f",
  bspace: "\u007f",
  delete: "\u001b[3~",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~"
}

export interface NamedKey {
  readonly bytes: string
  readonly isText: boolean
}

/** A key by its name, as tmux has them (`Esc`, `Enter`, `Up`, `C-c`, `M-b`), or a single character; else why not. */
export const keyNamed = (name: string): Result.Result<NamedKey, string> => {
  const known = named[name.toLowerCase()]
  if (known !== undefined) return Result.succeed({ bytes: known, isText: known === " " })
  const control = /^(?:C-|\^)([a-z@[\\\]^_])$/i.exec(name)?.[1]
  if (control !== undefined)
    return Result.succeed({ bytes: String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f), isText: false })
  const alt = /^M-([!-~])$/.exec(name)?.[1]
  if (alt !== undefined) return Result.succeed({ bytes: `\u001b${alt}`, isText: false })
  return [...name].length === 1 && !/\p{Cc}/u.test(name)
    ? Result.succeed({ bytes: name, isText: true })
    : Result.fail(`'${name}' is no key; keys: Esc, Enter, Tab, S-Tab, Up, Down, C-c, M-b, Space …, or one character`)
}
