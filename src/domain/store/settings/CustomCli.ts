import type { CliSettings } from "./CliSettings.ts"

/** Ids of the user's own CLIs: they are used in file names, names of variables and command lines. */
const customIdPattern = /^[a-z0-9][a-z0-9_-]*$/

export const customIdProblem = (id: string, builtin: ReadonlyArray<string>): string | null => {
  if (builtin.includes(id)) return `'${id}' is a CLI of leap's own; take another id`
  if (id.length > 100) return "an id has at most 100 characters"
  return customIdPattern.test(id)
    ? null
    : `'${id}' cannot be an id: that is small letters, digits, '-' and '_', the first a letter or digit`
}

/** An id made from a name: lower-case letters and digits, everything else one hyphen; numbered if it is taken. */
export const idFromName = (name: string, base: string, taken: ReadonlyArray<string>): string => {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 90) || `custom-${base}`
  for (let i = 1; ; i++) {
    const id = i === 1 ? plain : `${plain}-${i}`
    if (!taken.includes(id)) return id
  }
}

/** Variables by which leap and its hook find their session; a CLI's own environment cannot change them. */
const reserved: ReadonlySet<string> = new Set(["LEAP_TAG", "LEAP_SIGNAL_DIR", "LEAP_CLI_PROVIDER"])

export const variableProblem = (name: string, value: string): string | null => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return `'${name}' cannot be a variable: that is letters, digits and '_', the first no digit`
  if (reserved.has(name)) return `${name} is set by leap itself`
  return value.includes("\0") ? `the value of ${name} holds a NUL character` : null
}

/** Expands `~` (also after a colon), `$NAME` and `${NAME}`; `$$` is a dollar. An unset variable stays as written. */
export const expand = (value: string, env: Readonly<Record<string, string>>): string => {
  const home = Object.hasOwn(env, "HOME") ? env["HOME"] : undefined
  const known = (name: string, written: string): string => (Object.hasOwn(env, name) ? (env[name] ?? written) : written)
  return value.replace(
    /^~(?=\/|$)|(?<=:)~(?=\/)|\$\$|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (written: string, plain?: string, braced?: string) => {
      if (written === "~") return home ?? written
      return written === "$$" ? "$" : known(plain ?? braced ?? "", written)
    }
  )
}

type Clis = Readonly<Record<string, CliSettings>>

/** What the user's settings have for a CLI; nothing where they have none. */
export const settingsFor = (clis: Clis, id: string): CliSettings => (Object.hasOwn(clis, id) ? (clis[id] ?? {}) : {})

/**
 * The user's variants of these CLIs; a name of leap's own is none. A variant runs its base's program unless it names
 * another; flags and environment are not inherited.
 */
export const variantsOf = <Cli extends { readonly id: string }>(clis: Clis, builtin: ReadonlyArray<Cli>) =>
  Object.entries(clis).flatMap(([id, own]) => {
    const base = builtin.find((cli) => cli.id === own.base)
    if (base === undefined || builtin.some((cli) => cli.id === id)) return []
    const command = own.command ?? settingsFor(clis, base.id).command
    return [{ id, base, settings: { ...own, ...(command === undefined ? {} : { command }) } }]
  })
