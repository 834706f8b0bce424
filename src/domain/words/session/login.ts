/**
 * A place that belongs to a login and disappears with it, while a session continues. A session's CLI gets a link of its
 * own for each place. The link leads to the place of the login that attached last.
 */
export interface LoginPlace {
  readonly variable: string
  readonly kind: "socket" | "file"
  readonly ending: string
  /** A session that started without the place gets the link nevertheless, for later logins. */
  readonly always: boolean
  /** The place in the variable's value; null if a link cannot lead there. */
  readonly pathOf: (value: string, env: Readonly<Record<string, string>>) => string | null
  readonly valueOf: (path: string) => string
}

const absolute = (value: string): string | null => (value.startsWith("/") ? value : null)
const same = (path: string): string => path

/** DISPLAY and the like name no file, so they keep their values from the session's start. */
export const loginPlaces: ReadonlyArray<LoginPlace> = [
  // The agent with the user's keys. If ssh forwards it, it disappears with the connection.
  { variable: "SSH_AUTH_SOCK", kind: "socket", ending: ".ssh", always: true, pathOf: absolute, valueOf: same },
  {
    variable: "WAYLAND_DISPLAY",
    kind: "socket",
    ending: ".way",
    always: false,
    // A name is relative to the runtime directory.
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
    // The optional id identifies the bus, so it does not fit another login's bus.
    pathOf: (value) => /^unix:path=(\/[^,;%]+)(?:,guid=[0-9a-f]+)?$/.exec(value)?.[1] ?? null,
    valueOf: (path) => `unix:path=${path}`
  }
]

export const loginOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    loginPlaces.flatMap(({ pathOf, variable }) => {
      const value = env[variable]
      const path = value === undefined || value === "" ? null : pathOf(value, env)
      return path === null ? [] : [[variable, path]]
    })
  )

/** The session's link for a place, beside its socket. Its path is as short, because it is a socket's address too. */
export const linkOf = (socket: string, { ending }: LoginPlace): string => `${socket.replace(/\.sock$/, "")}${ending}`

/** The most logins that are remembered, to return to when a later one ends. */
const loginsMost = 8

/** The known places of one variable, that of the newest login first. */
export const newest = (known: ReadonlyArray<string>, path: string): ReadonlyArray<string> =>
  [path, ...known.filter((other) => other !== path)].slice(0, loginsMost)
