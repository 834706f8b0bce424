/** A package of a lock file. */
export interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
}
export const isPermissive: (licence: string | undefined) => boolean
export const isForTools: (licence: string | undefined) => boolean
export const licenceProblems: (
  packages: Readonly<Record<string, LockedPackage>>,
  licenceOf: (place: string) => string | undefined
) => ReadonlyArray<string>
