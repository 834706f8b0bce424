// The package is an alias of @lydell/node-pty, whose types declare another module name and lack data as bytes.
declare module "node-pty" {
  export interface IPty {
    readonly pid: number
    readonly onData: (listener: (data: Uint8Array) => void) => { readonly dispose: () => void }
    readonly onExit: (
      listener: (exit: { readonly exitCode: number; readonly signal?: number | undefined }) => void
    ) => { readonly dispose: () => void }
    readonly resize: (columns: number, rows: number) => void
    readonly write: (data: Uint8Array) => void
    /** Pauses reading of its output until `resume`. */
    readonly pause: () => void
    readonly resume: () => void
  }
  export interface IPtyForkOptions {
    readonly name: string
    readonly cols: number
    readonly rows: number
    readonly cwd: string
    readonly env: Record<string, string>
    /** null: data is bytes. */
    readonly encoding: null
  }
  export function spawn(file: string, args: ReadonlyArray<string>, options: IPtyForkOptions): IPty
}
