/** A machine whose sessions are reached by ssh. `destination`: as ssh takes it; `leap`: its leap, a name or a path. */
export interface RemoteHost {
  readonly name: string
  readonly destination: string
  readonly leap: string
}

export interface RemoteTag {
  readonly host: string
  readonly tag: string
}

/** A session of another machine in a list with those of this one. No tag has a slash. */
export const remoteName = ({ host, tag }: RemoteTag): string => `${host}/${tag}`

/** The host and the tag that such a name stands for; null: the session is on this machine. */
export const remoteTag = (name: string): RemoteTag | null => {
  const slash = name.indexOf("/")
  return slash < 0 ? null : { host: name.slice(0, slash), tag: name.slice(slash + 1) }
}

/** Whether a name stands for a session of this machine. */
export const isHere = (name: string): boolean => remoteTag(name) === null
