export interface AddonTerminal {
  readonly pid: number
  readonly onData: (listener: (data: Uint8Array) => void) => { readonly dispose: () => void }
  readonly onExit: (listener: (exit: { readonly exitCode: number; readonly signal?: number | undefined }) => void) => {
    readonly dispose: () => void
  }
  readonly resize: (columns: number, rows: number) => void
  readonly write: (data: Uint8Array) => void
}

/**
 * Everything of node-pty's terminal that leap uses beyond its public types. Without it leap could neither write to a
 * child that does not read, nor keep the last output of a child that has exited. The tests of this file show which part
 * an upgrade has moved.
 */
export interface PtyInternals {
  /** The terminal's descriptor, which does not block. */
  readonly fd: number
  /** The socket that reads the descriptor; node-pty destroys it some time after the child's exit. */
  readonly socket: { destroy: (cause?: Error) => unknown; readonly readableLength: number }
}

export const ptyInternals = (pty: AddonTerminal): PtyInternals => {
  const { fd, _socket: socket } = pty as unknown as { readonly fd: number; readonly _socket: PtyInternals["socket"] }
  return { fd, socket }
}
