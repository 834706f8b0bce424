/**
 * What of the environment belongs to a login: places that go with it, while a session goes on. A session's CLI is given
 * a link of its own for each, which leads to that of the login that attached last.
 */
export interface LoginPlace {
  readonly variable: string
  readonly kind: "socket" | "file"
  /** How the name of the session's link ends. */
  readonly ending: string
  /** A session whose start had none is given the link all the same, for logins to come. */
  readonly always: boolean
  /** The place that the variable's value names; null where it names none that a link can lead to. */
  readonly pathOf: (value: string, env: Readonly<Record<string, string>>) => string | null
  /** The value that names this place. */
  readonly valueOf: (path: string) => string
}

const absolute = (value: string): string | null => (value.startsWith("/") ? value : null)
const same = (path: string): string => path

/** DISPLAY and the like name no file, and stay as they were at the session's start. */
export const loginPlaces: ReadonlyArray<LoginPlace> = [
  // The agent that has the user's keys; forwarded by ssh, it goes with the connection.
  { variable: "SSH_AUTH_SOCK", kind: "socket", ending: ".ssh", always: true, pathOf: absolute, valueOf: same },
  {
    variable: "WAYLAND_DISPLAY",
    kind: "socket",
    ending: ".way",
    always: false,
    // a name is one in the runtime directory
    pathOf: (value, env) =>
      absolute(value) ??
      (value === "" || !env["XDG_RUNTIME_DIR"] ? null : absolute(`${env["XDG_RUNTIME_DIR"]}/${value}`)),
    valueOf: same
  },
  { variable: "XAUTHORITY", kind: "file", ending: ".xau", always: false, pathOf: absolute, valueOf: same },
  {
    variable: "DBUS_SESSION_BUS_ADDRESS",
    kind: "socket",
    ending: ".bus",
    always: false,
    // the id that may follow is the bus's own: another one has another
    pathOf: (value) => /^unix:path=(\/[^,;%]+)(?:,guid=[0-9a-f]+)?$/.exec(value)?.[1] ?? null,
    valueOf: (path) => `unix:path=${path}`
  }
]

/** The places of a login, by their variables. */
export const loginOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    loginPlaces.flatMap(({ pathOf, variable }) => {
      const value = env[variable]
      const path = value === undefined || value === "" ? null : pathOf(value, env)
      return path === null ? [] : [[variable, path]]
    })
  )

/** The session's link for a place, beside its socket: as short, since it is a socket's address too. */
export const linkOf = (socket: string, { ending }: LoginPlace): string => `${socket.replace(/\.sock$/, "")}${ending}`

/** Logins that are remembered, to go back to when a later one ends. */
const loginsMost = 8

/** The places that are known for one variable, the newest login's first. */
export const newest = (known: ReadonlyArray<string>, path: string): ReadonlyArray<string> =>
  [path, ...known.filter((other) => other !== path)].slice(0, loginsMost)
